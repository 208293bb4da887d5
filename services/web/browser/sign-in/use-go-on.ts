import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { serviceUrls } from '../platform/service-urls.ts';
import { checkedReturnTo } from './return-to.ts';

/** Leads to where a login or a registration was asked for, in place of the page that asks for it. */
export function useGoOn(asked: string | undefined): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    const url = checkedReturnTo(asked, [window.location.origin, ...serviceUrls.returnOrigins]);
    if (url.origin === window.location.origin) {
      void navigate({ href: `${url.pathname}${url.search}${url.hash}`, replace: true });
    } else {
      window.location.replace(url);
    }
  }, [asked, navigate]);
}
