/** The title of the browser's tab, such as "Log in · Atrium". */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · Atrium`}</title>;
}
