import { addUser, PASSWORD as password, testServer } from '@potluck/server/test/harness.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { beAway, hold, intercept } from '../network.ts'

describe('signing in', async () => {
  const server = await testServer()

  it('shows the sign-in screen at both its addresses', async () => {
    for (const address of ['/signin', '/sign-in']) {
      const { user } = await openApp(server, address)
      expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
      expect(screen.getByText('Your place at the table is still warm.')).toBeTruthy()
      expect(screen.getByLabelText('Email').getAttribute('type')).toBe('email')
      expect(screen.getByRole('button', { name: 'Sign In' }).getAttribute('type')).toBe('submit')
      expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password')
      await user.click(screen.getByRole('button', { name: 'Show or hide the password' }))
      expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text')
      await user.click(screen.getByRole('button', { name: 'Show or hide the password' }))
      expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password')
      expect(screen.getByText(/^Don't have an account\?/)).toBeTruthy()
      expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/signup')
    }
  })

  it('signs in and goes to the page that was wanted, once', async () => {
    await addUser(server, 'olivia@example.com')
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
    await act(() => router.navigate({ to: '/signin', state: { from: '//evil.example' } }))
    expect(remembered()).toBe('/')
    await act(() => router.navigate({ to: '/sign-in', search: { from: 'https://evil.example/' } }))
    expect(remembered()).toBe('/')
  })

  it('asks for an address and a password first, then shows what the server says', async () => {
    await addUser(server, 'zoe@example.com')
    const { sent: asked } = intercept('POST /auth/v1/')
    const { user, at } = await openApp(server, '/signin')
    const press = (name: string) => user.click(screen.getByText(name, { selector: 'button *' }))
    for (const name of ['Sign In', 'Email me a sign-in link']) {
      await fillIn('zoe', password)
      await press(name)
      await toasted('error', 'Invalid Email', 'Please enter a valid email address')
      await user.click(screen.getByLabelText('Dismiss'))
      await waitFor(() => expect(document.querySelector('[data-kind]')).toBeNull())
    }
    await fillIn('zoe@example.com', '')
    await press('Sign In')
    await toasted('error', 'Invalid Password', 'Please enter your password')
    expect(asked).toEqual([])
    // How long a password has to be is no matter here: the account may be older than the rule.
    await fillIn('zoe@example.com', '123')
    await press('Sign In')
    await toasted('error', 'Sign in Failed', 'Invalid login credentials')
    expect([asked.length, at()]).toEqual([1, '/signin'])
    await waitFor(() => expect(document.querySelector('button[data-loading]')).toBeNull())
    beAway('POST /auth/v1/')
    await press('Sign In')
    await toasted('error', 'Sign in failed', 'An unexpected error occurred')
    await waitFor(() => expect(document.querySelector('button[data-loading]')).toBeNull())
    await press('Email me a sign-in link')
    await toasted('error', 'Magic Link Failed', 'Failed to send login link. Please try again.')
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

async function fillIn(email: string, secret: string) {
  const address = await screen.findByLabelText('Email')
  fireEvent.change(address, { target: { value: email } })
  const field = screen.getByLabelText('Password')
  fireEvent.change(field, { target: { value: secret } })
}
