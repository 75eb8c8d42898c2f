import { Alert, Button } from '@mantine/core';
import type { OidcButton } from './sign-in-methods.ts';

interface Failure {
  readonly title: string;
  readonly text: string;
}

/** Texts for the failure codes of the service. */
const failures: Readonly<Record<string, Failure>> = {
  denied: {
    title: 'You were not signed in',
    text: 'The sign-in was cancelled at the provider. Try again.',
  },
  expired: {
    title: 'The sign-in has expired',
    text: 'It took longer than 10 minutes, or began in another browser. Try again.',
  },
  email: {
    title: 'Your e-mail address is not verified',
    text: 'The provider sent no verified e-mail address for your account. Verify it there, or ask your administrator.',
  },
  domain: {
    title: 'Your e-mail address is not allowed',
    text: 'Addresses of its domain may not sign in here. Use the account of your organization.',
  },
  account: {
    title: 'Your e-mail address belongs to another account',
    text: 'Another account of the provider has used it here before. Ask an owner to remove that member, and to invite you.',
  },
  access: {
    title: 'You have no access yet',
    text: 'No organization has you as a member. Ask an owner or admin to invite your e-mail address.',
  },
  groups: {
    title: 'Your groups could not be read',
    text: 'You are in too many groups for the provider to send them. Ask your administrator.',
  },
  busy: { title: 'Too many attempts', text: 'Wait a minute, then try again.' },
  unavailable: {
    title: 'The provider is not responding',
    text: 'Try again in a moment.',
  },
};

const unknownFailure: Failure = {
  title: 'Sign-in failed',
  text: 'The response of the provider was refused. Try again. If it happens again, ask your administrator to read the log.',
};

/** The button that signs in with an OIDC provider. After the sign-in, the current page opens again. */
export function OidcSignIn({
  name,
  url,
  failure,
}: OidcButton & { readonly failure: string | null }) {
  const explained =
    failure === null ? null : Object.hasOwn(failures, failure) ? failures[failure] : unknownFailure;
  const returnTo = new URLSearchParams({ returnTo: location.pathname + location.search });
  return (
    <>
      {explained && (
        <Alert color="yellow" role="alert" title={explained.title}>
          {explained.text}
        </Alert>
      )}
      <Button component="a" href={`${url}?${returnTo}`} styles={wrapping}>
        Sign in with {name}
      </Button>
    </>
  );
}

/** A long provider name is broken into lines. */
const wrapping = {
  root: { height: 'auto', minHeight: 36, paddingBlock: 7, display: 'block', textAlign: 'center' },
  inner: { height: 'auto' },
  label: {
    height: 'auto',
    lineHeight: 1.55,
    overflow: 'visible',
    overflowWrap: 'anywhere',
    whiteSpace: 'normal',
  },
} as const;
