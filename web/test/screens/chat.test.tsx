import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { canSend, characters } from '#features/chat/message-text.ts'
import { type Chatters, composer, openChat, openPlan, setTheTable } from '../chatting.ts'
import { intercept, noAnswer, refusal } from '../network.ts'
import { say } from '../sharing.ts'

const server = await testServer()
let chatters: Chatters
let people: Chatters['people']
let parties: Chatters['parties']

beforeEach(async () => {
  chatters = await setTheTable(server)
  ;({ people, parties } = chatters)
})

const stored = async () => {
  const { data } = await people.olivia.client.from('messages').select('content, metadata').order('created_at')
  return data ?? []
}

describe('a conversation', () => {
  it('is the same one when two openings collide, oldest message first, as text, and live', async () => {
    const said = [
      'Welcome!',
      '<img src=x onerror=alert(1)> & <b>bold</b>',
      '<script>document.title = "taken"</script>',
      '[click](javascript:alert(1)) javascript:alert(1) https://potluck.example/<u>x</u>',
    ]
    for (const text of said) await say(people.olivia, parties, text)
    const conversation = await say(people.olivia, parties, 'All set?')
    await server.db.query(
      `insert into public.messages (conversation_id, sender_id, content, message_type)
       values ($1, 'system', 'The plan was renewed.', 'system')`,
      [conversation],
    )
    const asked = intercept('POST rpc/find_or_create_conversation', (send, attempt) =>
      attempt === 1 ? refusal(409, '23505', 'duplicate key value violates unique constraint') : send(),
    )
    const { dialog } = await openChat(server, chatters, 'marc')
    expect(dialog.getByText('Connecting...')).toBeTruthy()
    const note = await dialog.findByText('The plan was renewed.')
    expect(asked.sent.length).toBeGreaterThan(1)
    await say(people.olivia, parties, 'Hello?')
    await dialog.findByText('Hello?')
    const log = dialog.getByRole('log')
    const shown = [...said, 'All set?', 'The plan was renewed.', 'Hello?']
    expect([...log.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(shown)
    expect(log.querySelectorAll('script, img, b, u')).toHaveLength(0)
    const links = [...log.querySelectorAll('a')].map(({ href, target, rel }) => ({ href, target, rel }))
    expect(links).toEqual([
      { href: 'https://potluck.example/', target: '_blank', rel: 'noopener noreferrer nofollow ugc' },
    ])
    expect(document.title).not.toBe('taken')
    // What the server noted is a note of nobody.
    expect(note.parentElement).toBe(log)
    expect(dialog.getByText('Welcome!').parentElement?.textContent).toMatch(/^olivia\d+: Welcome!/)
    await waitFor(async () => {
      const { data } = await people.marc.client.from('chat_participants').select('has_unread')
      expect(data).toEqual([{ has_unread: false }])
    })
    const { data } = await people.olivia.client.from('conversations').select('id')
    expect(data).toEqual([{ id: conversation }])
  })

  it('marks the row of somebody who wrote, live, until the chat is opened there', async () => {
    const { user } = await openPlan(server, chatters, 'olivia')
    const row = (await screen.findByText(people.marc.email)).closest('li')
    if (!row) throw new Error('Marc has no row')
    await within(row).findByRole('button', { name: /^Chat with marc\d+$/ })
    await say(people.marc, parties, 'Hi')
    await user.click(await within(row).findByRole('button', { name: /^Chat with marc\d+, unread messages$/ }))
    await within(await screen.findByRole('dialog')).findByText('Hi')
    await waitFor(() => expect(row.querySelector('[aria-label$="unread messages"]')).toBeNull())
  })
})

describe('writing', () => {
  it('sends with Enter, starts a line with Shift+Enter, and sends neither nothing nor too much', async () => {
    const { sent } = intercept('POST /rest/v1/messages')
    const { user, dialog } = await openChat(server, chatters, 'marc')
    const box = await composer()
    const send = dialog.getByRole('button', { name: 'Send message' })
    expect(send).toHaveProperty('disabled', true)
    await user.type(box, '   {Enter}')
    expect(send).toHaveProperty('disabled', true)
    await user.clear(box)
    await user.type(box, 'one{Shift>}{Enter}{/Shift}two{Enter}')
    await dialog.findByText('Delivered')
    expect(await stored()).toMatchObject([
      { content: 'one\ntwo', metadata: { status: 'delivered', retry_count: 0 } },
    ])
    expect(box).toHaveProperty('value', '')
    expect(dialog.getAllByText(/one\s+two/)).toHaveLength(1)
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
      {
        id: expect.any(String),
        conversation_id: expect.any(String),
        sender_id: people.marc.id,
        content: 'one\ntwo',
        message_type: 'user',
        metadata: { status: 'sent', retry_count: 0 },
      },
    ])

    // A family of emoji counts once.
    const thousand = '👨‍👩‍👧‍👦'.repeat(1000)
    await user.click(box)
    await user.paste(thousand)
    expect(dialog.getByText('1000/1000 characters')).toBeTruthy()
    expect(send).toHaveProperty('disabled', false)
    await user.paste('!')
    expect(dialog.getByText('1001/1000 characters')).toBeTruthy()
    expect(send).toHaveProperty('disabled', true)
    await user.type(box, '{Backspace}{Enter}')
    await waitFor(async () => expect((await stored())[1]?.content).toBe(thousand))

    await user.type(box, 'Not done yet')
    await user.click(dialog.getByLabelText('Close chat'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByLabelText(/^Chat with/))
    expect(await composer()).toHaveProperty('value', 'Not done yet')
  })

  it('counts every text as the database does', async () => {
    const texts = [
      ...[
        'Hello',
        '👨‍👩‍👧‍👦',
        '👩🏻‍❤️‍💋‍👩🏿',
        '🇪🇺🇧🇷🇪',
        '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
        '1️⃣',
        '👍🏽!',
        'e\u0301',
        'مَرْحَبًا',
        'שָׁלוֹם',
        'สวัสดี',
        'हिन्दी',
      ],
      ...[
        'a\u200db',
        '\u200d',
        'a\u200b\u2060\ufeff',
        'مرحبا \u202eabc\u202c',
        '\u{1f468}\u200d',
        'x'.repeat(1001),
      ],
      ...['\u2800\u3164', '\u00ad', '\u0085', '\u180e\u2066', 'é\u034f', `e${'\u0301'.repeat(10_001)}`],
    ]
    const counts = await server.db.query<{ count: number }>(
      `select private.characters(value) as count
       from jsonb_array_elements_text($1::jsonb) with ordinality as t (value, place) order by place`,
      [JSON.stringify(texts)],
    )
    expect(counts.map(({ count }) => count)).toEqual(texts.map(characters))
    const conversation = await say(people.marc, parties, 'First')
    for (const text of [...texts, ' \n ', '\u200b\u00a0\ufeff']) {
      const message = { conversation_id: conversation, sender_id: people.marc.id, content: text }
      const { error } = await people.marc.client.from('messages').insert(message)
      expect([text, error === null]).toEqual([text, canSend(text)])
    }
  })

  it('stores a message once when only its answer got lost, and gives it back after three tries more', async () => {
    const { user, dialog } = await openChat(server, chatters, 'marc')
    const box = await composer()
    const pauses = hastenPauses()
    const lost = intercept('POST /rest/v1/messages', async (send, attempt) => {
      const answer = await send()
      return attempt === 1 ? noAnswer() : answer
    })
    await user.type(box, 'Just once{Enter}')
    await dialog.findByText('Delivered')
    expect(dialog.getAllByText('Just once')).toHaveLength(1)
    expect(await stored()).toHaveLength(1)
    await waitFor(() => expect(lost.sent).toHaveLength(2))
    lost.heal()

    const attempts = intercept('POST /rest/v1/messages', noAnswer)
    await user.type(box, 'Are you there?')
    await waitFor(() => expect(dialog.getByLabelText('Send message')).toHaveProperty('disabled', false))
    await user.type(box, '{Enter}')
    await dialog.findByText('Sending…')
    await user.type(box, 'Later')
    await waitFor(() => expect(box).toHaveProperty('value', 'Are you there?\nLater'))
    expect(attempts.sent).toHaveLength(4)
    expect(pauses).toEqual(expect.arrayContaining([1000, 2000, 4000]))
    await screen.findByText('Failed to send message: no answer from the server')
    expect(dialog.queryByText('Sending…')).toBeNull()
    await dialog.findByText('Not sent')
    expect(await stored()).toHaveLength(1)
    attempts.heal()
    await user.type(box, '{Enter}')
    await waitFor(() => expect(dialog.queryByText('Not sent')).toBeNull())
    await dialog.findByText('Delivered')
    expect((await stored())[1]).toMatchObject({ content: 'Are you there?\nLater' })
  })
})

/** Pauses between two attempts pass twenty times as fast; gives those that were asked for, in ms. */
function hastenPauses(): number[] {
  const pauses: number[] = []
  const set = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((done: () => void, ms: number, ...more: []) => {
    // Node's own timers carry an argument.
    if (![1000, 2000, 4000].includes(ms) || more.length > 0) return set(done, ms, ...more)
    pauses.push(ms)
    return set(done, ms / 20)
  }) as typeof setTimeout)
  return pauses
}
