import { afterEach, expect, it, vi } from 'vitest'
import { forgetTarget, recallTarget, rememberReferrer, rememberTarget } from './post-login.ts'

afterEach(() => {
  forgetTarget()
  vi.restoreAllMocks()
})

const cameFrom = (address: string) => vi.spyOn(document, 'referrer', 'get').mockReturnValue(address)
const signIn = '/sign-in?from=%2Fcreate'

it('signing up before the app had loaded leads on to where signing in did', () => {
  cameFrom(`${window.location.origin}${signIn}`)
  rememberReferrer()
  expect(recallTarget()).toBe('/create')
})

it('nothing but the own sign-in page says so, and only if nothing else is wanted', () => {
  cameFrom(`https://elsewhere.example${signIn}`)
  rememberReferrer()
  expect(recallTarget()).toBe('/')
  cameFrom(`${window.location.origin}${signIn}`)
  rememberTarget('/plans/sub-1')
  rememberReferrer()
  expect(recallTarget()).toBe('/plans/sub-1')
})
