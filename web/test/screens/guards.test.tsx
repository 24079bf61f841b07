import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'

const password = 'Sunny-Day1!'

describe('who may open what', async () => {
  const server = await testServer()

  it.each([
    ['/create', '/signin?redirect=%2Fcreate'],
    ['/dashboard', '/signin?redirect=%2Fdashboard'],
    ['/my-subscriptions?tab=shared', '/signin?redirect=%2Fmy-subscriptions%3Ftab%3Dshared'],
  ])('sends a visitor from %s to sign-in with the way back', async (address, signIn) => {
    const { at } = await openApp(server, address)
    await waitFor(() => expect(at()).toBe(signIn))
    expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
  })

  it.each(['/about', '/privacy', '/terms', '/reset-password'])('lets a visitor read %s', async (address) => {
    const { at } = await openApp(server, address)
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    expect(at()).toBe(address)
  })

  it.each(['/home', '/user-home'])('leads from %s to /', async (address) => {
    const { at } = await openApp(server, address)
    await waitFor(() => expect(at()).toBe('/'))
  })

  it('shows the 404 page for an unknown path', async () => {
    await openApp(server, '/no/such/page')
    expect(await screen.findByText('Oops! Page not found')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
  })

  it('sends whoever returns without a session to sign in again', async () => {
    window.localStorage.setItem('dev_auth_active', 'true')
    window.sessionStorage.setItem('redirectAfterLogin', '/create')
    const { at } = await openApp(server, '/auth-redirect')
    await waitFor(() => expect(at()).toBe('/sign-in'))
    expect(await screen.findByText('Please sign in again to continue.')).toBeTruthy()
    expect(window.localStorage.getItem('dev_auth_active')).toBeNull()
    expect(window.sessionStorage.getItem('redirectAfterLogin')).toBeNull()
  })

  it('shows a visitor the ways in, and the footer', async () => {
    await openApp(server, '/about')
    const main = await screen.findByRole('navigation', { name: 'Main' })
    expect(linksIn(main)).toEqual(['Home', 'About', 'Sign In', 'Sign Up'])
    const footer = screen.getByRole('navigation', { name: 'Footer' })
    expect(linksIn(footer)).toEqual(['Dashboard', 'How It Works', 'Privacy', 'Terms'])
    for (const name of ['Facebook', 'Twitter', 'Instagram', 'LinkedIn', 'YouTube'])
      expect(screen.getByRole('link', { name })).toBeTruthy()
  })

  it('hides the bottom bar where people sign in', async () => {
    const { router } = await openApp(server, '/about')
    expect(linksIn(await screen.findByRole('navigation', { name: 'Bottom' }))).toEqual([
      'Home',
      'Sign In',
      'Sign Up',
      'About',
    ])
    await router.navigate({ to: '/reset-password' })
    await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Bottom' })).toBeNull())
  })

  it('logs out from the avatar menu, and the guard closes again', async () => {
    await addUser(server, 'olivia@example.com', { password })
    const { at, client, router } = await openApp(server, '/about', {
      as: { email: 'olivia@example.com', password },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Your menu' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }))
    await waitFor(async () => expect((await client.auth.getSession()).data.session).toBeNull())
    expect(at()).toBe('/')
    await router.navigate({ to: '/dashboard' })
    await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fdashboard'))
  })
})

const linksIn = (place: HTMLElement) =>
  within(place)
    .getAllByRole('link')
    .map((link) => link.textContent)
