import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Client } from '#lib/supabase.ts'
import { openApp } from '../app.tsx'
import { intercept } from '../network.ts'

const names = { google: 'Google', facebook: 'Facebook', x: 'Twitter' } as const
const providers = ['google', 'facebook', 'x'] as const
const homes = { google: 'accounts.google.com', facebook: 'www.facebook.com', x: 'x.com' } as const

/** jsdom cannot leave a page, so the client hands out the address it would go to; gives the ones it was asked for. */
function stayHere(client: Client): string[] {
  const left: string[] = []
  const real = client.auth.signInWithOAuth.bind(client.auth)
  vi.spyOn(client.auth, 'signInWithOAuth').mockImplementation(async ({ provider, options }) => {
    const answer = await real({ provider, options: { ...options, skipBrowserRedirect: true } })
    if (answer.data.url) left.push(answer.data.url)
    return answer
  })
  return left
}

const press = async (provider: (typeof providers)[number]) => {
  const button = await screen.findByRole('button', { name: names[provider] })
  await userEvent.click(button)
  return button
}

describe('a site that is registered with the providers', async () => {
  const server = await testServer(
    Object.fromEntries(
      ['GOOGLE', 'FACEBOOK', 'X'].flatMap((name) => [
        [`${name}_CLIENT_ID`, `${name} id`],
        [`${name}_CLIENT_SECRET`, `${name} secret`],
      ]),
    ),
  )

  it('each button leaves for its provider', async () => {
    const { client } = await openApp(server, '/signin?redirect=%2Fcreate')
    expect(await screen.findByText('Or continue with')).toBeTruthy()
    const left = stayHere(client)
    for (const [place, provider] of providers.entries()) {
      const button = await press(provider)
      await waitFor(() => expect(left).toHaveLength(place + 1))
      expect([button.textContent, button.hasAttribute('disabled')]).toEqual(['Connecting...', true])
      window.dispatchEvent(new Event('pageshow'))
      await waitFor(() => expect(button.textContent).toBe(names[provider]))

      const asked = new URL(left[place] ?? '')
      expect(asked.origin + asked.pathname).toBe(`${server.url}/auth/v1/authorize`)
      expect(asked.searchParams.get('provider')).toBe(provider)
      expect(asked.searchParams.has('code_challenge')).toBe(false)
      expect(asked.searchParams.get('redirect_to')).toBe(
        window.location.origin + (provider === 'google' ? '/auth-redirect' : '/create'),
      )
      const page = new URL(
        (await fetch(asked, { redirect: 'manual' })).headers.get('location') ?? 'http://nowhere',
      )
      expect(page.hostname).toBe(homes[provider])
      expect(page.searchParams.get('client_id')).toBe(`${provider.toUpperCase()} id`)
      const google = provider === 'google'
      expect(page.searchParams.get('access_type')).toBe(google ? 'offline' : null)
      expect(page.searchParams.get('prompt')).toBe(google ? 'consent' : null)
      if (google) expect(Number(page.searchParams.get('timestamp'))).toBeGreaterThan(Date.now() - 60_000)
      else expect(page.searchParams.has('timestamp')).toBe(false)
    }
  })

  it('without a redirect parameter Facebook and Twitter return to /dashboard', async () => {
    const { client } = await openApp(server, '/signin')
    const left = stayHere(client)
    for (const provider of ['facebook', 'x'] as const) await press(provider)
    await waitFor(() => expect(left).toHaveLength(2))
    for (const address of left)
      expect(new URL(address).searchParams.get('redirect_to')).toBe(`${window.location.origin}/dashboard`)
  })

  it('from the page that resets a password each returns to /home', async () => {
    const { client } = await openApp(server, '/reset-password')
    const left = stayHere(client)
    for (const provider of providers) await press(provider)
    await waitFor(() => expect(left).toHaveLength(3))
    for (const address of left)
      expect(new URL(address).searchParams.get('redirect_to')).toBe(`${window.location.origin}/home`)
  })

  it('shows what the client refuses, and lets the person try again', async () => {
    const { client } = await openApp(server, '/signin')
    const { AuthApiError } = await import('@supabase/supabase-js')
    vi.spyOn(client.auth, 'signInWithOAuth').mockResolvedValue({
      data: { provider: 'x', url: null },
      error: new AuthApiError('', 400, 'validation_failed'),
    })
    const button = await press('x')
    expect(await screen.findByText('Twitter Sign-in Failed')).toBeTruthy()
    expect(screen.getByText('Could not sign in with Twitter. Please try again.')).toBeTruthy()
    expect([button.textContent, button.hasAttribute('disabled')]).toEqual(['Twitter', false])

    vi.spyOn(client.auth, 'signInWithOAuth').mockRejectedValue(new TypeError('Failed to fetch'))
    await press('facebook')
    expect(await screen.findByText('Sign-in Error')).toBeTruthy()
    expect(screen.getByText('An unexpected error occurred. Please try again later.')).toBeTruthy()
  })
})

describe('a site that is registered with none', async () => {
  const server = await testServer()

  it.each(['/signin', '/reset-password'])('offers none on %s', async (address) => {
    const asked = intercept('GET /auth/v1/settings')
    await openApp(server, address)
    await waitFor(() => expect(asked.sent).toHaveLength(1))
    await screen.findByLabelText('Email')
    for (const name of Object.values(names)) expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByText('Or continue with')).toBeNull()
  })
})

describe('coming back from a provider to an ordinary page', async () => {
  const server = await testServer()
  const denied = 'error=access_denied&error_description=The+user+denied+the+request'

  it.each(['facebook', 'x'] as const)('tells why %s refused, and leaves it behind', async (provider) => {
    window.sessionStorage.setItem('socialSignIn', provider)
    const { at } = await openApp(server, `/dashboard?${denied}#${denied}&sb=`, { arriving: true })
    expect(await screen.findByText(`${names[provider]} Sign-in Failed`)).toBeTruthy()
    expect(screen.getByText('The user denied the request')).toBeTruthy()
    await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fdashboard'))
    expect(window.sessionStorage.getItem('socialSignIn')).toBeNull()
  })

  it('shows nobody the words of a link they did not ask for', async () => {
    const { at } = await openApp(server, '/?error=x&error_code=bad_oauth_state&error_description=Call+me', {
      arriving: true,
    })
    expect(await screen.findByText('Failed to complete authentication')).toBeTruthy()
    expect(screen.queryByText('Call me')).toBeNull()
    expect(at()).toBe('/')
  })
})
