import { addUser, PASSWORD as password, testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { beAway, hold, intercept } from '../network.ts'

describe('signing up', async () => {
  const server = await testServer()

  it('shows the sign-up screen at both its addresses', async () => {
    for (const address of ['/signup', '/sign-up']) {
      await openApp(server, address)
      expect(await screen.findByRole('heading', { name: 'Create Your Account' })).toBeTruthy()
      expect(screen.getByLabelText('Email').getAttribute('type')).toBe('email')
      for (const label of ['First name', 'Email', 'Password', 'Confirm password'])
        expect((screen.getByLabelText(label) as HTMLInputElement).required).toBe(true)
      for (const label of ['Password', 'Confirm password'])
        expect(screen.getByLabelText(label).getAttribute('type')).toBe('password')
    }
  })

  it('creates an account and goes to sign-in', async () => {
    const { at } = await openApp(server, '/signup')
    await fillIn(' ana@example.com ', password, password, ' Ana ')
    const calls = hold('POST /auth/v1/signup')
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    const busy = await screen.findByRole('button', { name: 'Creating account...' })
    expect(busy.hasAttribute('disabled')).toBe(true)
    const [request] = calls.sent
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      email: 'ana@example.com',
      password,
      data: { name: 'Ana' },
    })
    expect(new URL(request?.url ?? '').searchParams.get('redirect_to')).toBe(
      `${window.location.origin}/auth-redirect`,
    )
    calls.letGo()
    await waitFor(() => expect(at()).toBe('/signin?success=true'))
    expect(await screen.findByText('Account created')).toBeTruthy()
    expect(screen.getByText('Please check your email for the confirmation link.')).toBeTruthy()
    const [mail] = await server.outbox()
    expect(mail?.to).toBe('ana@example.com')
    const link = /https?:\/\/\S*\/auth\/v1\/verify\S*/.exec(mail?.text ?? '')?.[0] ?? ''
    const followed = await fetch(link, { redirect: 'manual' })
    expect(followed.headers.get('location')).toMatch(
      new RegExp(`^${window.location.origin}/auth-redirect#access_token=`),
    )
  })

  it('answers a second sign-up for an address as the first, and mails its owner nothing new', async () => {
    await addUser(server, 'zoe@example.com')
    const before = (await server.outbox()).length
    const { at } = await openApp(server, '/signup')
    await fillIn('Zoe@Example.com', 'Another-Day2?', 'Another-Day2?')
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(at()).toBe('/signin?success=true'))
    expect(await screen.findByText('Account created')).toBeTruthy()
    expect(screen.getByText('Please check your email for the confirmation link.')).toBeTruthy()
    expect(await server.outbox()).toHaveLength(before)
  })

  it('says what is wrong before asking the server, then what the server says', async () => {
    const { sent: asked } = intercept('POST /auth/v1/signup')
    const { user, at } = await openApp(server, '/signup')
    expect((await screen.findByText('Sign in')).getAttribute('href')).toBe('/signin')
    const press = () => user.click(screen.getByText('Create account'))
    await fillIn('ben@example.com', password, password, ' \u200b')
    await press()
    await screen.findByText('Please enter your first name')
    await fillIn('ben', '12345', '12345')
    await press()
    await toasted('error', 'Invalid Email', 'Please enter a valid email address')
    await fillIn('ben@example.com', 'Aa1!xyz', 'Aa1!xyz')
    await press()
    await toasted('error', 'Invalid Password', 'Password must be at least 8 characters')
    expect(screen.getByText('At least 8 characters')).toBeTruthy()
    await fillIn('ben@example.com', 'sunnyday', 'sunnyday')
    await press()
    await screen.findByText('Password does not meet security requirements')
    await fillIn('ben@example.com', password, 'something-else')
    await press()
    await screen.findByText("Passwords don't match")
    expect(asked).toEqual([])
    await fillIn('ben@example.com', `Aa1!${'x'.repeat(100)}`, `Aa1!${'x'.repeat(100)}`)
    await press()
    await toasted('error', 'Sign up failed', 'Password cannot be longer than 72 characters')
    expect([asked.length, at()]).toEqual([1, '/signup'])
    await waitFor(() => expect(screen.getByText('Create account').closest('button')?.disabled).toBe(false))
    beAway('POST /auth/v1/signup')
    await press()
    await toasted('error', 'Sign up failed', 'Failed to create account. Please try again.')
  })

  it('marks each of the five rules as met or unmet while the password is typed', async () => {
    await openApp(server, '/sign-up')
    await userEvent.type(await screen.findByLabelText('Password'), 'abc1')
    const rules = screen.getByRole('list', { name: 'Password rules' })
    const met = [...rules.querySelectorAll('li')].filter((rule) => rule.textContent?.includes('(met)'))
    expect(met.map((rule) => rule.textContent)).toEqual(['One lowercase letter (met)', 'One number (met)'])
    await userEvent.type(screen.getByLabelText('Password'), 'DEF!')
    expect([...rules.querySelectorAll('li')].map((rule) => rule.textContent)).toEqual([
      'At least 8 characters (met)',
      'One uppercase letter (met)',
      'One lowercase letter (met)',
      'One number (met)',
      'One special character (met)',
    ])
    await userEvent.clear(screen.getByLabelText('Password'))
    expect(rules.textContent?.match(/\(not met\)/g)).toHaveLength(5)
  })
})

async function fillIn(email: string, first: string, second: string, name = 'Somebody') {
  const values = { 'First name': name, Email: email, Password: first, 'Confirm password': second }
  for (const [label, value] of Object.entries(values)) {
    const field = await screen.findByLabelText(label)
    fireEvent.change(field, { target: { value: value } })
  }
}
