// What people write to each other, and how they appear, sent directly.
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import { denied, insertion, rule } from '../people.ts'
import {
  BLANK,
  expectRefused,
  FAMILY,
  MEGABYTE,
  type Refusal,
  RTL,
  SCRIPT,
  setScene,
  ZERO_WIDTH,
} from './scene.ts'

const scene = await setScene(await testDatabase())

const WITH_NUL = { code: '22021' }
const NOT_AN_ID = { code: '22P02' }

describe('a message', () => {
  const EMPTY = rule('A message cannot be empty')
  const LONG = rule('A message can be at most 1000 characters long')
  const NOT_YOURS = denied('Unauthorized: Cannot send message to this conversation')

  test.each([
    ['nothing', { content: null }, EMPTY],
    ['an empty text', { content: '' }, EMPTY],
    ['blanks', { content: BLANK }, EMPTY],
    ['zero-width characters', { content: ZERO_WIDTH }, EMPTY],
    ['1001 letters', { content: 'x'.repeat(1001) }, LONG],
    ['1001 families', { content: FAMILY.repeat(1001) }, LONG],
    ['200 texts from right to left, of 6 characters', { content: RTL.repeat(201) }, LONG],
    ['endless marks', { content: `a${'\u0301'.repeat(10_000)}` }, LONG],
    ['a megabyte', { content: MEGABYTE }, LONG],
    ['a megabyte of markup', { content: SCRIPT.repeat(42_000) }, LONG],
    ['a NUL', { content: 'a\0b' }, WITH_NUL],
    ['no conversation', { content: 'Hi', conversation_id: null }, NOT_YOURS],
    [
      'another conversation',
      { content: 'Hi', conversation_id: '00000000-0000-4000-8000-000000000000' },
      NOT_YOURS,
    ],
    ['a conversation that is no id', { content: 'Hi', conversation_id: 'sub-1' }, NOT_AN_ID],
    ['a sender that is nobody', { content: 'Hi', sender_id: SCRIPT }, NOT_YOURS],
    ['the system as its sender', { content: 'Hi', sender_id: 'system', message_type: 'system' }, NOT_YOURS],
    ['another type', { content: 'Hi', message_type: 'note' }, NOT_YOURS],
    ['metadata that is no JSON', { content: 'Hi', metadata: '{' }, NOT_AN_ID],
  ])('is refused with %s', async (_what, change, refusal) => {
    const row = { conversation_id: scene.conversation, ...change }
    await expectRefused(scene, scene.marc, insertion('messages', row), refusal)
  })

  test('keeps nothing of metadata but how often it was tried, and that as a small number', async () => {
    for (const metadata of [
      `{"retry_count":1e400}`,
      `{"retry_count":-5}`,
      `["${MEGABYTE}"]`,
      `{"x":"${MEGABYTE}"}`,
      'null',
    ]) {
      const row = { conversation_id: scene.conversation, content: 'Hi', metadata }
      const [text, values] = insertion('messages', row)
      const [stored] = await scene.marc.run(`${text} returning metadata`, [...values])
      expect(stored?.metadata).toEqual({
        status: 'delivered',
        retry_count: metadata.includes('1e400') ? 3 : 0,
      })
    }
  })
})

describe('a request to join', () => {
  const LONG = rule('The message can be at most 500 characters long')
  const ANOTHER = denied('You can only ask for yourself')

  test.each([
    ['no plan', { subscription_id: null }, rule('Subscription ID is required')],
    ['501 characters', { message: 'x'.repeat(501) }, LONG],
    ['a megabyte', { message: MEGABYTE }, LONG],
    ['a NUL', { message: '\0' }, WITH_NUL],
    ['the name of somebody else', { user_id: '00000000-0000-4000-8000-000000000000' }, ANOTHER],
    ['somebody who is no id', { user_id: SCRIPT }, NOT_AN_ID],
  ])('is refused with %s', async (_what, change, refusal) => {
    const row = { subscription_id: scene.plan, ...change }
    await expectRefused(scene, scene.nina, insertion('subscription_requests', row), refusal)
  })
})

describe('an invitation', () => {
  test.each([
    ['nobody', null],
    ['nothing', ''],
    ['blanks', BLANK],
    ['no at-sign', 'marc.example'],
    ['two at-signs', 'a@b@c.example'],
    ['no domain', 'marc@'],
    ['two lines', 'a@b.example\nBcc: c@d.example'],
    ['two addresses', 'a@b.example, c@d.example'],
    ['a name and an address', 'Marc <marc@potluck.example>'],
    ['full-width letters', 'ｍａｒｃ@potluck.example'],
    ['a letter that looks like another', 'm\u0430rc@potluck.example'],
    ['too long an address', `${'x'.repeat(250)}@b.example`],
    ['a megabyte', `${MEGABYTE}@b.example`],
  ])('is refused with %s', async (_what, email) => {
    const call = ['select invite_member($1, $2)', [scene.plan, email]] as const
    await expectRefused(scene, scene.olivia, call, rule('Valid email is required'))
  })
})

describe('a profile', () => {
  const UNREADABLE = rule('Please enter a name that people can read')
  const THE_SITE = rule('This name is taken by the site itself')
  const NO_PHONE = rule('Please enter a phone number with its country code, like +4930123456')

  test.each([
    ['a long name', 'display_name', 'x'.repeat(81), { code: '23514' }],
    ['a megabyte of name', 'display_name', MEGABYTE, { code: '23514' }],
    ['a NUL', 'display_name', 'Ni\0na', WITH_NUL],
    ...['display_name', 'full_name'].flatMap((column): [string, string, string, Refusal][] => [
      ['no name', column, '', UNREADABLE],
      ['blanks as a name', column, BLANK, UNREADABLE],
      ['a name of zero-width characters', column, ZERO_WIDTH, UNREADABLE],
      ['a name of fillers', column, '\u3164\u2800\u115f', UNREADABLE],
      ['a name of marks', column, '\u0301\u20dd', UNREADABLE],
      ['a name of tags', column, '\u{e0020}\u{e0041}\u{e0100}', UNREADABLE],
      ['a name of vowels nobody sees', column, '\u17b4\u180b', UNREADABLE],
      ['a zero-width space in a name', column, 'Ni\u200bna', UNREADABLE],
      ['a name that turns its direction', column, 'Nina \u202eanin', UNREADABLE],
      ['a name of direction marks', column, '\u200e\u200f', UNREADABLE],
      ['a line break in a name', column, 'Nina\nPaid', UNREADABLE],
      ['a bell in a name', column, 'Nina\u0007', UNREADABLE],
    ]),
    ...[
      'Potluck',
      'POTLUCK',
      ' pot luck ',
      'P.o.t-l_u c k',
      'Pótlück',
      'ｐｏｔｌｕｃｋ',
      'P0tIuck',
      'Роtluсk',
      '\u{1d40f}otluck',
    ]
      .concat('Potluck Support', 'The Potluck Team', 'Official Potluck', 'potluck❤')
      .map((name): [string, string, string, Refusal] => [`the name ${name}`, 'display_name', name, THE_SITE]),
    ['a phone number without its country', 'phone_number', '030123456', NO_PHONE],
    ['spaces in a phone number', 'phone_number', '+49 30 123456', NO_PHONE],
    ['a phone number of a country that is none', 'phone_number', '+0301234567', NO_PHONE],
    ['too short a phone number', 'phone_number', '+49301', NO_PHONE],
    ['too long a phone number', 'phone_number', '+1234567890123456', NO_PHONE],
    ['two lines of phone number', 'phone_number', '+4930123456\n', NO_PHONE],
    ['a megabyte of full name', 'full_name', MEGABYTE, { code: '23514' }],
    ['a megabyte of phone number', 'phone_number', MEGABYTE, { code: '23514' }],
    ['a megabyte of picture', 'avatar_url', MEGABYTE, { code: '23514' }],
    ['another id', 'user_id', '00000000-0000-4000-8000-000000000000', { code: '42501' }],
  ])('is refused with %s', async (_what, column, value, refusal) => {
    const text = `update user_profiles set ${column} = $1 where user_id = $2`
    await expectRefused(scene, scene.nina, [text, [value, scene.nina.id]], refusal)
  })

  test.each([
    'Zoë',
    'Đặng Thị Hà',
    'محمد',
    'क्षितिज',
    '山田 太郎',
    'Zo 👩‍👩‍👧‍👦',
    'O’Neil-Smith Jr.',
    'Luck Potter',
    'Potluckson',
    'X',
  ])('may be called %s', async (name) => {
    const text =
      'update user_profiles set display_name = $1, full_name = $1 where user_id = $2 returning display_name'
    expect(await scene.nina.run(text, [name, scene.nina.id])).toEqual([{ display_name: name }])
  })
})
