import { ButtonLink } from '../controls/links.tsx';
import { MessagePage } from './message-page.tsx';
import { PageTitle } from './page-title.tsx';
import { useText } from '../../texts/texts.tsx';

/** For a URL without a page. */
export function NotFound() {
  const { errors } = useText();
  return (
    <MessagePage
      title={errors.notFoundTitle}
      actions={<ButtonLink to="/">{errors.toStart}</ButtonLink>}
    >
      <PageTitle>{errors.notFoundTitle}</PageTitle>
      {errors.notFound}
    </MessagePage>
  );
}
