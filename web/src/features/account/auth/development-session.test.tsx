// Proves AUTH 25 31, DATA 15, ERR 05
import { notifications } from '@mantine/notifications'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentSession, followSession } from '#lib/session.ts'
import { connectTestSite } from '../../../../test/site.ts'
import { isPreviewHost, resumeDevelopmentSession, startDevelopmentSession } from './development-session.ts'

const marker = () => window.localStorage.getItem('dev_auth_active')
let said: unknown[]
let stop: () => void

beforeEach(async () => {
  said = []
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message }) => {
    said.push([title, message])
    return ''
  })
  const client = await connectTestSite()
  stop = followSession(client)
  await client.auth.initialize()
})
afterEach(() => stop())

describe('the development sign-in', () => {
  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['pr-7-preview.potluck.example', true],
    ['potluck.example', false],
    ['previewer.example', false],
    ['localhost.evil.example', false],
  ])('%s is a preview host: %s', (hostname, verdict) => {
    expect(isPreviewHost(hostname)).toBe(verdict)
  })

  it('signs in as the development user, and says so', () => {
    startDevelopmentSession()
    expect(said).toEqual([['Development Login', 'You are now signed in with a development account']])
    expect(marker()).toBe('true')
    expect(currentSession()).toMatchObject({
      status: 'signed-in',
      user: {
        id: '00000000-0000-4000-8000-000000000001',
        email: 'developer@example.com',
        name: 'Development User',
        avatarUrl: '/avatars/avatar-1.png',
      },
      session: { access_token: 'development', refresh_token: 'development' },
    })
  })

  it('is taken up again on a preview host while its flag is set, and nowhere else', () => {
    resumeDevelopmentSession({ hash: '', hostname: 'localhost' })
    expect(currentSession().status).not.toBe('signed-in')
    window.localStorage.setItem('dev_auth_active', 'true')
    resumeDevelopmentSession({ hash: '', hostname: 'potluck.example' })
    expect(currentSession().status).not.toBe('signed-in')
    expect(said).toEqual([])
    resumeDevelopmentSession({ hash: '', hostname: 'localhost' })
    expect(currentSession()).toMatchObject({ status: 'signed-in', user: { name: 'Development User' } })
    expect(said).toEqual([['Development Mode', 'Using simulated authentication for development purposes.']])
  })

  it('ends when a real sign-in arrives in the address, by access token or id token', () => {
    for (const hash of ['#access_token=x&type=signup', '#state=1&id_token=x']) {
      window.localStorage.setItem('dev_auth_active', 'true')
      resumeDevelopmentSession({ hash, hostname: 'localhost' })
      expect(marker()).toBeNull()
      expect(currentSession().status).not.toBe('signed-in')
    }
  })
})
