// The fragment of a mailed link, as our server writes it and as Supabase encodes it in the mail's button.
import { expect, it } from 'vitest'
import { readMailedLink } from './mailed-link.ts'

const origin = 'https://potluck.example'
const next = '/plans/sub-1?ask=true&note=50%25'
const back = `${origin}/auth-redirect?next=${encodeURIComponent(next)}`
const read = (email: string, to: string) =>
  readMailedLink(`token_hash=abc&type=magiclink&email=${email}&to=${to}`, origin)
const link = (target: string) => ({ tokenHash: 'abc', type: 'magiclink', email: 'a+b@x.example', target })

it.each([
  ['as it is', 'a+b@x.example', back, next],
  ['encoded', 'a%2Bb@x.example', encodeURIComponent(back), next],
  ['to a page', 'a+b@x.example', `${origin}/reset-password`, '/reset-password'],
  ['to another site', 'a+b@x.example', 'https://elsewhere.example/auth-redirect?next=/terms', '/'],
  ['to a path of another site', 'a+b@x.example', `${origin}/auth-redirect?next=//elsewhere.example`, '/'],
  ['to nothing', 'a+b@x.example', '', '/'],
])('leads %s where the mail was asked for', (_how, email, to, target) => {
  expect(read(email, to)).toEqual(link(target))
})

it.each(['', 'access_token=a.b.c', 'token_hash=&type=signup&email=&to=', 'error=access_denied'])(
  '%j is none',
  (fragment) => {
    expect(readMailedLink(fragment, origin)).toBeNull()
  },
)
