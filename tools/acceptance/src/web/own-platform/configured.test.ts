// In one file, because they share a platform and a browser.
import './configured/providers.ts';
import './configured/operator.ts';
