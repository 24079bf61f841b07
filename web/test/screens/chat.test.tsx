import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bootServer, openApp } from '../app.tsx'
import { join, newPeople, type People, password, say, sharePlan } from '../sharing.ts'

const server = bootServer()
let people: People
let parties: { planId: string; ownerId: string; memberId: string }

beforeEach(async () => {
  people = await newPeople(server())
  const planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
  parties = { planId, ownerId: people.olivia.id, memberId: people.marc.id }
})

afterEach(() => vi.unstubAllGlobals())

const open = async (who: 'olivia' | 'marc') => ({
  user: userEvent.setup(),
  ...(await openApp(server(), `/subscription/${parties.planId}`, {
    as: { email: people[who].email, password },
  })),
})
const openChat = async (who: 'olivia' | 'marc') => {
  const opened = await open(who)
  await opened.user.click(await screen.findByRole('button', { name: /^Chat with/ }))
  const dialog = within(await screen.findByRole('dialog'))
  return { ...opened, dialog }
}
const composer = () => screen.findByRole('textbox', { name: /^Message/ })
const stored = async () => {
  const { data } = await people.olivia.client.from('messages').select('content, metadata').order('created_at')
  return data ?? []
}

describe('a conversation', () => {
  it('CHAT-02 CHAT-04 CHAT-05 CHAT-13 connects, and says that nothing was said yet', async () => {
    const { dialog } = await openChat('marc')
    expect(dialog.getByText('Connecting...')).toBeTruthy()
    await dialog.findByText('No messages yet. Start the conversation!')
    const { data } = await people.olivia.client.from('conversations').select('id')
    expect(data).toHaveLength(1)
  })

  it('CHAT-03 CHAT-08 CHAT-10 shows messages oldest first, clears the mark and brings new ones live', async () => {
    await say(people.olivia, parties, 'Welcome!')
    await say(people.olivia, parties, 'All set?')
    const { dialog } = await openChat('marc')
    await dialog.findByText('All set?')
    await say(people.olivia, parties, 'Hello?')
    await dialog.findByText('Hello?')
    const said = within(dialog.getByRole('log')).getAllByText(/Welcome!|All set\?|Hello\?/)
    expect(said.map((entry) => entry.textContent)).toEqual(['Welcome!', 'All set?', 'Hello?'])
    await waitFor(async () => {
      const { data } = await people.marc.client.from('chat_participants').select('has_unread')
      expect(data).toEqual([{ has_unread: false }])
    })
  })

  it('CHAT-08 CHAT-09 marks the button of somebody who wrote, live', async () => {
    await open('olivia')
    await screen.findByRole('button', { name: /^Chat with marc\d+$/ })
    await say(people.marc, parties, 'Hi')
    await screen.findByRole('button', { name: /^Chat with marc\d+, unread messages$/ })
  })

  it('shows markup as the text it is', async () => {
    await say(people.olivia, parties, '<img src=x onerror=alert(1)> & <b>bold</b>')
    const { dialog } = await openChat('marc')
    await dialog.findByText('<img src=x onerror=alert(1)> & <b>bold</b>')
    expect(dialog.queryByRole('img')).toBeNull()
  })
})

describe('writing', () => {
  it('CHAT-11 VALID-15 sends with Enter, starts a line with Shift+Enter, and never sends nothing', async () => {
    const { user, dialog } = await openChat('marc')
    const box = await composer()
    const send = dialog.getByRole('button', { name: 'Send message' })
    expect(send).toHaveProperty('disabled', true)
    await user.type(box, '   {Enter}')
    await user.clear(box)
    await user.type(box, 'one{Shift>}{Enter}{/Shift}two{Enter}')
    await waitFor(async () => expect(await stored()).toHaveLength(1))
    expect((await stored())[0]).toMatchObject({
      content: 'one\ntwo',
      metadata: { status: 'delivered', retry_count: 0 },
    })
    expect(box).toHaveProperty('value', '')
    expect(dialog.getAllByText(/one\s+two/)).toHaveLength(1)
  })

  it('VALID-15 counts an emoji once and refuses the character after the thousandth', async () => {
    const { user, dialog } = await openChat('marc')
    const box = await composer()
    await user.click(box)
    await user.paste('🍲'.repeat(1000))
    expect(dialog.getByText('1000/1000 characters')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Send message' })).toHaveProperty('disabled', false)
    await user.paste('!')
    expect(dialog.getByRole('button', { name: 'Send message' })).toHaveProperty('disabled', true)
  })

  it('CHAT-12 ERR-36 tries three times more while the network is down, then gives the text back', async () => {
    const { user, dialog } = await openChat('marc')
    const box = await composer()
    const attempts = breakNetwork()
    await user.type(box, 'Are you there?{Enter}')
    await dialog.findByText('Sending…')
    await waitFor(() => expect(box).toHaveProperty('value', 'Are you there?'), { timeout: 15_000 })
    expect(attempts()).toBe(4)
    await screen.findByText(/^Failed to send message: /)
    expect(dialog.queryByText('Sending…')).toBeNull()
    expect(await stored()).toEqual([])
  })

  it('CHAT-12 stores a message once when only its answer got lost', async () => {
    const { user, dialog } = await openChat('marc')
    const box = await composer()
    loseFirstAnswer()
    await user.type(box, 'Just once{Enter}')
    await waitFor(() => expect(dialog.queryByText('Sending…')).toBeNull(), { timeout: 15_000 })
    expect(dialog.getAllByText('Just once')).toHaveLength(1)
    expect(await stored()).toHaveLength(1)
  })
})

it('CHAT-07 MEMB-09 is archived live when the member leaves, and closed for writing', async () => {
  await say(people.marc, parties, 'Bye')
  const { dialog } = await openChat('olivia')
  await dialog.findByText('Bye')
  await people.marc.client
    .from('subscription_members')
    .delete()
    .eq('subscription_id', parties.planId)
    .eq('user_id', people.marc.id)
    .throwOnError()
  await dialog.findByText('This conversation has been archived because the member has left the subscription.')
  expect(dialog.queryByRole('textbox')).toBeNull()
})

const isMessage = (input: unknown, init?: RequestInit) =>
  String(input).includes('/rest/v1/messages') && init?.method === 'POST'

function breakNetwork(): () => number {
  const real = globalThis.fetch
  let attempts = 0
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    if (!isMessage(input, init)) return real(input, init)
    attempts += 1
    return Promise.reject(new TypeError('fetch failed'))
  })
  return () => attempts
}

function loseFirstAnswer(): void {
  const real = globalThis.fetch
  let lost = false
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const answer = await real(input, init)
    if (lost || !isMessage(input, init)) return answer
    lost = true
    throw new TypeError('fetch failed')
  })
}
