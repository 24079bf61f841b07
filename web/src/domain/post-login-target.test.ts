import { expect, it } from 'vitest'
import { postLoginTarget } from './post-login-target.ts'

const origin = 'https://potluck.example'

it.each([
  ['/my-subscriptions?tab=shared', '/my-subscriptions?tab=shared'],
  ['/manage-shared/sub-1#requests', '/manage-shared/sub-1#requests'],
  ['/', '/'],
])('keeps the own path %s', (wanted, target) => {
  expect(postLoginTarget(wanted, origin)).toBe(target)
})

it.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/..//evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  'my-subscriptions',
  '',
  undefined,
  null,
  { pathname: '/create' },
])('turns the foreign target %s into /', (wanted) => {
  expect(postLoginTarget(wanted, origin)).toBe('/')
})

it('turns the sign-in and sign-up screens into /, however they are written', () => {
  for (const wanted of [
    '/sign-in',
    '/sign-up',
    '/signin',
    '/signup',
    '/signin?redirect=/create',
    '/SignIn',
    '/signin/',
  ])
    expect(postLoginTarget(wanted, origin)).toBe('/')
})
