// In one file, because they share a platform.
import './faults/outages.ts';
import './faults/losses.ts';
