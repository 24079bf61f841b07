import { signUpUser } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { bootServer, openApp } from '../app.tsx'

const password = 'Sunny-Day1!'

describe('signing up', () => {
  const server = bootServer()

  it('AUTH-15 AUTH-17 ERR-03 creates an account and goes to sign-in', async () => {
    const { at } = await openApp(server(), '/signup')
    expect(await screen.findByRole('heading', { name: 'Create Your Account' })).toBeTruthy()
    await fillIn('ana@example.com', password, password)
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(at()).toBe('/signin?success=true'))
    expect(await screen.findByText('Account created')).toBeTruthy()
    expect(screen.getByText('Please check your email for the confirmation link.')).toBeTruthy()
    const [mail] = await server().outbox()
    expect(mail?.to).toBe('ana@example.com')
    expect(decodeURIComponent(mail?.text ?? '')).toContain('/auth-redirect')
  })

  it('AUTH-16 marks the rules a password meets while it is typed', async () => {
    await openApp(server(), '/sign-up')
    await userEvent.type(await screen.findByLabelText('Password'), 'abc1')
    const rules = screen.getByRole('list', { name: 'Password rules' })
    const met = [...rules.querySelectorAll('li')].filter((rule) => rule.textContent?.includes('(met)'))
    expect(met.map((rule) => rule.textContent)).toEqual(['One lowercase letter (met)', 'One number (met)'])
  })

  it('VALID-04 VALID-05 says what is wrong with the passwords, and sends nothing', async () => {
    const before = (await server().outbox()).length
    await openApp(server(), '/signup')
    await fillIn('ben@example.com', password, 'something-else')
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    expect(await screen.findByText("Passwords don't match")).toBeTruthy()
    await fillIn('ben@example.com', 'sunnyday', 'sunnyday')
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    expect(await screen.findByText('Password does not meet security requirements')).toBeTruthy()
    expect(await server().outbox()).toHaveLength(before)
  })

  it('AUTH-18 leads to sign-in', async () => {
    await openApp(server(), '/signup')
    expect((await screen.findByRole('link', { name: 'Sign in' })).getAttribute('href')).toBe('/signin')
  })

  it('AUTH-19 sends a signed-in person home', async () => {
    await signUpUser(server(), 'olivia@example.com', { password })
    const { at } = await openApp(server(), '/signup', { as: { email: 'olivia@example.com', password } })
    await waitFor(() => expect(at()).toBe('/'))
  })
})

async function fillIn(email: string, first: string, second: string) {
  const values = { Email: email, Password: first, 'Confirm password': second }
  for (const [label, value] of Object.entries(values)) {
    const field = await screen.findByLabelText(label)
    await userEvent.clear(field)
    await userEvent.type(field, value)
  }
}
