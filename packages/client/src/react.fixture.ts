import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createAtrium } from './index.ts';
import { AtriumProvider, useAuth } from './react.ts';

const url = window.location.origin;
const atrium = createAtrium({ authUrl: url, notesUrl: url, linksUrl: url, webhooksUrl: url });

function Home() {
  const { user, isInitializing, login } = useAuth();
  const shown = isInitializing ? 'unknown' : (user?.name ?? 'nobody');
  // For the test, which wants to see every one.
  document.title += ` ${shown}`;
  const logIn = () => void login({ email: 'ada@example.com', password: 'secret' });
  return createElement('button', { onClick: logIn }, shown);
}

const home = createElement(AtriumProvider, { atrium }, createElement(Home));
const root = document.querySelector('main');
if (root !== null) createRoot(root).render(createElement(StrictMode, null, home));
