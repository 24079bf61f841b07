import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { canSend, characters } from '#features/chat/message-text.ts'
import { type Chatters, composer, openChat, openPlan, setTheTable } from '../chatting.ts'
import { intercept, noAnswer } from '../network.ts'
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
  it('connects after half a second, and says that nothing was said yet', async () => {
    const asked = intercept('POST rpc/find_or_create_conversation')
    const start = performance.now()
    const { dialog } = await openChat(server, chatters, 'marc')
    expect(dialog.getByText('Connecting...')).toBeTruthy()
    await dialog.findByText('No messages yet. Start the conversation!')
    expect(await composer()).toBeTruthy()
    expect((asked.times[0] ?? 0) - start).toBeGreaterThanOrEqual(490)
  })

  it('is made again when two openings collide, and is the same one', async () => {
    const conversation = await say(people.olivia, parties, 'Here already')
    const asked = intercept('POST rpc/find_or_create_conversation', (real, attempt) =>
      attempt === 1
        ? Promise.resolve(
            Response.json(
              { code: '23505', message: 'duplicate key value violates unique constraint' },
              { status: 409 },
            ),
          )
        : real(),
    )
    const { dialog } = await openChat(server, chatters, 'marc')
    await dialog.findByText('Here already')
    const [first = 0, second = 0] = asked.times
    expect(second - first).toBeGreaterThanOrEqual(490)
    const { data } = await people.olivia.client.from('conversations').select('id')
    expect(data).toEqual([{ id: conversation }])
  })

  it('shows messages oldest first, clears the mark and brings new ones live', async () => {
    await say(people.olivia, parties, 'Welcome!')
    await say(people.olivia, parties, 'All set?')
    const { dialog } = await openChat(server, chatters, 'marc')
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

  it('shows markup and links as the text they are', async () => {
    const said = [
      '<img src=x onerror=alert(1)> & <b>bold</b>',
      '<script>document.title = "taken"</script>',
      '[click](javascript:alert(1)) javascript:alert(1) https://potluck.example/<u>x</u>',
    ]
    for (const text of said) await say(people.olivia, parties, text)
    const { dialog } = await openChat(server, chatters, 'marc')
    for (const text of said) await dialog.findByText(text)
    const thread = dialog.getByRole('log')
    expect(thread.querySelectorAll('a, script, img, b, u')).toHaveLength(0)
    expect(document.title).not.toBe('taken')
  })

  it('shows what the server noted as a note of nobody', async () => {
    const conversation = await say(people.olivia, parties, 'Welcome!')
    await server.db.query(
      `insert into public.messages (conversation_id, sender_id, content, message_type)
       values ($1, 'system', 'The plan was renewed.', 'system')`,
      [conversation],
    )
    const { dialog } = await openChat(server, chatters, 'marc')
    const note = await dialog.findByText('The plan was renewed.')
    expect(note.parentElement).toBe(dialog.getByRole('log'))
    expect(dialog.getByText('Welcome!').parentElement?.textContent).toMatch(/^olivia\d+: Welcome!/)
  })
})

describe('writing', () => {
  it('sends with Enter, starts a line with Shift+Enter, and never sends nothing', async () => {
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
  })

  it('counts a family of emoji once and refuses the character after the thousandth', async () => {
    const { user, dialog } = await openChat(server, chatters, 'marc')
    const box = await composer()
    const send = dialog.getByRole('button', { name: 'Send message' })
    await user.click(box)
    await user.paste('👨‍👩‍👧‍👦'.repeat(1000))
    expect(dialog.getByText('1000/1000 characters')).toBeTruthy()
    expect(send).toHaveProperty('disabled', false)
    await user.paste('!')
    expect(dialog.getByText('1001/1000 characters')).toBeTruthy()
    expect(send).toHaveProperty('disabled', true)
    await user.type(box, '{Backspace}{Enter}')
    await dialog.findByText('Delivered')
    expect((await stored())[0]?.content).toBe('👨‍👩‍👧‍👦'.repeat(1000))
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

  it('tries three times more, then gives the text back, and sends it when asked again', async () => {
    const { user, dialog } = await openChat(server, chatters, 'marc')
    const box = await composer()
    const attempts = intercept('POST /rest/v1/messages', noAnswer)
    await user.type(box, 'Are you there?{Enter}')
    await dialog.findByText('Sending…')
    await user.type(box, 'Later')
    expect(dialog.getByRole('button', { name: 'Send message' })).toHaveProperty('disabled', true)
    await waitFor(() => expect(box).toHaveProperty('value', 'Are you there?\nLater'), { timeout: 15_000 })
    expect(attempts.times).toHaveLength(4)
    await screen.findByText('Failed to send message: no answer from the server')
    expect(dialog.queryByText('Sending…')).toBeNull()
    expect(dialog.getByText('Not sent')).toBeTruthy()
    expect(await stored()).toEqual([])
    attempts.heal()
    await user.type(box, '{Enter}')
    await dialog.findByText('Delivered')
    expect(dialog.queryByText('Not sent')).toBeNull()
    expect(await stored()).toMatchObject([{ content: 'Are you there?\nLater' }])
  }, 20_000)

  it('stores a message once when only its answer got lost', async () => {
    const { user, dialog } = await openChat(server, chatters, 'marc')
    const box = await composer()
    intercept('POST /rest/v1/messages', async (real, attempt) => {
      const answer = await real()
      return attempt === 1 ? noAnswer() : answer
    })
    await user.type(box, 'Just once{Enter}')
    await dialog.findByText('Delivered')
    expect(dialog.getAllByText('Just once')).toHaveLength(1)
    expect(await stored()).toHaveLength(1)
  })

  it('keeps what was typed when the chat is closed and opened again', async () => {
    const { user, dialog } = await openChat(server, chatters, 'marc')
    await user.type(await composer(), 'Not done yet')
    await user.click(dialog.getByRole('button', { name: 'Close chat' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: /^Chat with/ }))
    expect(await composer()).toHaveProperty('value', 'Not done yet')
  })
})
