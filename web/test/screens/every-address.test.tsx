import { testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'

// What a visitor may see. An address of a new screen is for signed-in people unless it is added here.
const OPEN = new Set([
  ...['/', '/about', '/books', '/plans', '/plans/$planId', '/privacy', '/terms'],
  ...['/signin', '/sign-in', '/signup', '/sign-up', '/reset-password', '/auth-redirect'],
  // Whom a visitor may not meet is nobody there.
  '/people/$personId',
  // Lead to /.
  ...['/home', '/user-home'],
  // Their token, which only a mail holds, stands for the person.
  ...['/invitation/$token', '/unsubscribe/$token', '/undo-change'],
  // Say that the plan's id is missing, and nothing else.
  ...['/subscription', '/manage-shared', '/manage-subscribed'],
])
const plain = (path: string) => path.replace(/(.)\/$/, '$1')
const PLAN = /^\/((simple-)?subscription|manage-(shared|subscribed))\//
const NOTICE = 'Sign in, or sign up, and you are brought right back here.'

describe('a visitor', async () => {
  const server = await testServer()

  it('is sent to sign-in from every address that is not open, or reads why on the page of a plan', async () => {
    const { router, at } = await openApp(server, '/about')
    await screen.findByRole('heading', { level: 1 })
    const closed = Object.keys(router.routesByPath).filter((path) => !OPEN.has(plain(path)))
    expect(closed.length).toBeGreaterThan(10)
    const seen: Record<string, string> = {}
    for (const path of closed) {
      const address = path.replace(/\$\w+/g, 'sub-0')
      await act(() => router.navigate({ href: '/about' }))
      await act(() => router.navigate({ href: address }))
      seen[path] = await waitFor(() => {
        if (at().startsWith('/signin?redirect=')) return 'sign-in'
        if (screen.queryByText(NOTICE)) return 'notice'
        throw new Error(`${address} shows a visitor ${at()}: ${document.querySelector('main')?.textContent}`)
      })
      if (seen[path] === 'sign-in') expect(decodeURIComponent(at())).toContain(plain(address))
    }
    const noticed = Object.keys(seen).filter((path) => seen[path] === 'notice')
    expect(noticed.filter((path) => !PLAN.test(path))).toEqual([])
    expect(noticed).toContain('/subscription/$planId')
  })

  it('reads every open page, and the 404 page', async () => {
    const { router, at } = await openApp(server, '/about')
    for (const path of OPEN) {
      if (path === '/auth-redirect' || path.includes('$')) continue
      await act(() => router.navigate({ href: path }))
      await waitFor(() => expect(plain(at())).toBe(/home$/.test(path) ? '/' : path))
      expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    }
    await act(() => router.navigate({ href: '/no/such/page' }))
    expect(await screen.findByText('Oops! Page not found')).toBeTruthy()
  })
})
