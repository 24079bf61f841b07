import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { beAway, hold, intercept } from '../network.ts'

const password = 'Sunny-Day1!'

describe('signing in', async () => {
  const server = await testServer()

  it('shows the sign-in screen at both its addresses', async () => {
    for (const address of ['/signin', '/sign-in']) {
      await openApp(server, address)
      expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
      expect(screen.getByText('Your place at the table is still warm.')).toBeTruthy()
      expect(screen.getByLabelText('Email').getAttribute('type')).toBe('email')
      expect(screen.getByRole('button', { name: 'Sign In' }).getAttribute('type')).toBe('submit')
      expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password')
      await userEvent.click(screen.getByRole('button', { name: 'Show or hide the password' }))
      expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text')
      await userEvent.click(screen.getByRole('button', { name: 'Show or hide the password' }))
      expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password')
      expect(screen.getByText(/^Don't have an account\?/)).toBeTruthy()
      expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/signup')
    }
  })

  it('signs in and goes to the page that was wanted, once', async () => {
    await addUser(server, 'olivia@example.com', { password })
    const { at, router } = await openApp(server, '/signin?redirect=%2Fterms')
    const visited: string[] = []
    router.subscribe('onResolved', ({ toLocation }) => visited.push(toLocation.href))
    await fillIn('olivia@example.com', password)
    expect(remembered()).toBe('/terms')
    const button = screen.getByRole('button', { name: 'Sign In' })
    expect(button.hasAttribute('data-loading')).toBe(false)
    const calls = hold('POST /auth/v1/token')
    await userEvent.click(button)
    await waitFor(() => expect(button.hasAttribute('data-loading')).toBe(true))
    expect(at()).toBe('/signin?redirect=%2Fterms')
    calls.letGo()
    await waitFor(() => expect(at()).toBe('/terms'))
    expect(remembered()).toBeNull()
    await act(() => router.navigate({ to: '/signin' }))
    await waitFor(() => expect(at()).toBe('/'))
    expect(visited.filter((href) => href === '/terms')).toHaveLength(1)
  })

  it('takes the target from `from`, from `redirect` or from the navigation state', async () => {
    const { router } = await openApp(server, '/signin?from=%2Fcreate')
    await waitFor(() => expect(remembered()).toBe('/create'))
    await act(() => router.navigate({ to: '/sign-in', search: { redirect: '/my-subscriptions?tab=shared' } }))
    expect(remembered()).toBe('/my-subscriptions?tab=shared')
    await act(() => router.navigate({ to: '/signin', state: { from: '/dashboard' } }))
    expect(remembered()).toBe('/dashboard')
    for (const foreign of ['https://evil.example/', '//evil.example', 'javascript:alert(1)']) {
      await act(() => router.navigate({ to: '/signin', state: { from: foreign } }))
      expect(remembered()).toBe('/')
      await act(() => router.navigate({ to: '/sign-in', search: { from: foreign } }))
      expect(remembered()).toBe('/')
    }
  })

  it.each(['//evil.example', '/signup', '/sign-in?redirect=%2Fcreate'])(
    'goes home when the wanted page is %s',
    async (wanted) => {
      const email = `marc${wanted.length}@example.com`
      await addUser(server, email, { password })
      const { at } = await openApp(server, `/signin?redirect=${encodeURIComponent(wanted)}`, {
        as: { email, password },
      })
      await waitFor(() => expect(at()).toBe('/'))
    },
  )

  it('shows what the server says when the password is wrong', async () => {
    await addUser(server, 'zoe@example.com', { password })
    const { at } = await openApp(server, '/signin')
    await fillIn('zoe@example.com', 'not-her-password')
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Sign in Failed')).toBeTruthy()
    expect(screen.getByText('Invalid login credentials')).toBeTruthy()
    expect(at()).toBe('/signin')
    expect(screen.getByRole('button', { name: 'Sign In' }).hasAttribute('data-loading')).toBe(false)
  })

  it('says so when the answer never came', async () => {
    await openApp(server, '/signin')
    await fillIn('zoe@example.com', password)
    beAway('POST /auth/v1/token')
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Sign in failed')).toBeTruthy()
    expect(screen.getByText('An unexpected error occurred')).toBeTruthy()
  })

  it('asks for an address and a password before asking the server', async () => {
    const { sent: asked } = intercept('POST /auth/v1/')
    await openApp(server, '/signin')
    for (const wrong of ['', 'zoe', '   ']) {
      await fillIn(wrong, password)
      for (const name of ['Sign In', 'Email me a sign-in link']) {
        await userEvent.click(screen.getByRole('button', { name }))
        const [toast] = await screen.findAllByText('Invalid Email')
        expect(screen.getAllByText('Please enter a valid email address').length).toBeGreaterThan(0)
        await dismiss(toast)
      }
    }
    for (const short of ['', '12345']) {
      await fillIn('zoe@example.com', short)
      await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
      const toast = await screen.findByText('Invalid Password')
      expect(screen.getByText('Password must be at least 6 characters')).toBeTruthy()
      await dismiss(toast)
    }
    expect(asked.length).toBe(0)
    await fillIn('zoe@example.com', '123456')
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Sign in Failed')).toBeTruthy()
    expect(asked.length).toBe(1)
  })

  it('mails a link to an address nobody has yet, without asking for a password', async () => {
    await openApp(server, '/signin')
    await fillIn('  ben@example.com ', '')
    await userEvent.click(screen.getByRole('button', { name: 'Email me a sign-in link' }))
    expect(await screen.findByText('Magic Link Sent')).toBeTruthy()
    expect(screen.getByText('Please check your email for a login link.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open the captured mail' }).getAttribute('href')).toBe('/outbox')
    const [mail] = await server.outbox()
    expect(mail?.to).toBe('ben@example.com')
    expect(returnIn(mail?.text)).toBe(`${window.location.origin}/auth-redirect`)
  })

  it('says so when the link could not be mailed', async () => {
    await openApp(server, '/signin')
    await fillIn('ben@example.com', '')
    beAway('POST /auth/v1/otp')
    await userEvent.click(screen.getByRole('button', { name: 'Email me a sign-in link' }))
    expect(await screen.findByText('Magic Link Failed')).toBeTruthy()
    expect(screen.getByText('Failed to send login link. Please try again.')).toBeTruthy()
  })

  it('offers the development login in a development build', async () => {
    const { at } = await openApp(server, '/signin')
    const button = await screen.findByRole('button', { name: 'Quick Development Login' })
    expect(screen.getByText('For testing in preview environments')).toBeTruthy()
    await userEvent.click(button)
    expect(await screen.findByText('You are now signed in with a development account')).toBeTruthy()
    await waitFor(() => expect(at()).toBe('/'))
  })

  it('fills in the form from a demo account', async () => {
    await openApp(server, '/signin', { demo: [{ email: 'demo@potluck.example', password }] })
    await userEvent.click(await screen.findByRole('button', { name: 'demo@potluck.example' }))
    expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('demo@potluck.example')
    expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe(password)
  })
})

const remembered = () => window.sessionStorage.getItem('redirectAfterLogin')

/** Where the link in a mail leads in the end. */
function returnIn(text = ''): string | null {
  const link = /https?:\/\/\S*\/auth\/v1\/verify\S*/.exec(text)?.[0]
  return link ? new URL(link).searchParams.get('redirect_to') : null
}

async function dismiss(toast: HTMLElement | undefined) {
  const card = toast?.closest<HTMLElement>('[role="alert"]')
  if (!card) throw new Error('That is no toast')
  await userEvent.click(within(card).getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(card.isConnected).toBe(false))
}

async function fillIn(email: string, secret: string) {
  const address = await screen.findByLabelText('Email')
  await userEvent.clear(address)
  if (email) await userEvent.type(address, email)
  const field = screen.getByLabelText('Password')
  await userEvent.clear(field)
  if (secret) await userEvent.type(field, secret)
}
