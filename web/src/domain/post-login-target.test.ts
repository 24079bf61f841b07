// Proves AUTH 09 11
import { expect, test } from 'vitest'
import { postLoginTarget } from './post-login-target.ts'

test.each(['/my-subscriptions?tab=shared', '/manage-shared/sub-1#requests', '/'])(
  'the own path %s is kept',
  (wanted) => expect(postLoginTarget(wanted, 'https://potluck.example')).toBe(wanted),
)

test.each([
  ...['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example', '/..//evil.example'],
  ...['/.//evil.example', 'javascript:alert(1)', 'my-subscriptions', '', undefined, { pathname: '/create' }],
  // The sign-in screens themselves, in any spelling.
  ...['/sign-in', '/sign-up', '/signin', '/signup', '/signin?redirect=/create', '/SignIn', '/signin/'],
])('%s leads to /', (wanted) => expect(postLoginTarget(wanted, 'https://potluck.example')).toBe('/'))
