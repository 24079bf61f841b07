// What people write to each other and to the staff, and how they appear, sent directly.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../server/test/harness.ts'
import { denied, rule } from '../people.ts'
import {
  BLANK,
  expectRefused,
  FAMILY,
  insert,
  MEGABYTE,
  RTL,
  SCRIPT,
  type Scene,
  setScene,
  ZERO_WIDTH,
} from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await setScene(await openTestDatabase())
})
afterAll(() => scene.db.close())

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
    await expectRefused(scene, scene.marc, insert('messages', row), refusal)
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
      const [text, values] = insert('messages', row)
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
    await expectRefused(scene, scene.nina, insert('subscription_requests', row), refusal)
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
    ['too long an address', `${'x'.repeat(250)}@b.example`],
    ['a megabyte', `${MEGABYTE}@b.example`],
  ])('is refused with %s', async (_what, email) => {
    const call = ['select invite_member($1, $2)', [scene.plan, email]] as const
    await expectRefused(scene, scene.olivia, call, rule('Valid email is required'))
  })
})

describe('a provider request', () => {
  const plan = { plan_name: 'Family', price: 9.99, billing_cycle: 'monthly', max_members: 4 }
  const offering = (change: object) => ({ plans_data: JSON.stringify([{ ...plan, ...change }]) })
  const good = {
    provider_name: 'Mubi',
    category: 'Streaming',
    website_url: 'https://mubi.com',
    description: 'Films chosen by hand.',
    plans_data: JSON.stringify([plan]),
  }
  const NAME = rule('Provider name must be at least 2 characters')
  const CATEGORY = rule('Please select a category')
  const ADDRESS = rule('Please enter a valid URL')
  const DESCRIPTION = rule('Description must be at least 10 characters')
  const NO_PLANS = rule('At least one plan is required')
  const PLAN_NAME = rule('Plan name is required')
  const PRICE = rule('Price must be positive')
  const MEMBERS = rule('Max members must be at least 1')
  const CYCLE = rule('The billing cycle is monthly or yearly')

  test.each([
    ['no name', { provider_name: null }, NAME],
    ['a letter', { provider_name: ' M ' }, NAME],
    ['blanks for a name', { provider_name: BLANK }, NAME],
    ['zero-width characters for a name', { provider_name: ZERO_WIDTH }, NAME],
    ['a megabyte of name', { provider_name: MEGABYTE }, rule('Provider name can be at most 100 characters')],
    ['a NUL in a name', { provider_name: 'Mu\0bi' }, WITH_NUL],
    ['no category', { category: null }, CATEGORY],
    ['another category', { category: 'streaming' }, CATEGORY],
    ['markup for a category', { category: SCRIPT }, CATEGORY],
    ['no address', { website_url: null }, ADDRESS],
    ['an address that runs', { website_url: 'javascript:alert(1)//a.b' }, ADDRESS],
    ['an address of data', { website_url: 'data:text/html,a.b' }, ADDRESS],
    ['half an address', { website_url: 'https://mubi' }, ADDRESS],
    ['an address with a blank', { website_url: 'https://mu bi.com' }, ADDRESS],
    ['an address with a name before it', { website_url: 'https://netflix.com@evil.example' }, ADDRESS],
    ['a megabyte of address', { website_url: `https://a.b/${MEGABYTE}` }, ADDRESS],
    ['no description', { description: null }, DESCRIPTION],
    ['nine characters', { description: 'x'.repeat(9) }, DESCRIPTION],
    ['invisible characters', { description: ZERO_WIDTH.repeat(5) }, DESCRIPTION],
    [
      'a megabyte of description',
      { description: MEGABYTE },
      rule('Description can be at most 2000 characters'),
    ],
    ['no plans', { plans_data: null }, NO_PLANS],
    ['an empty list', { plans_data: '[]' }, NO_PLANS],
    ['an object for a list', { plans_data: '{"0":{}}' }, NO_PLANS],
    ['a text for a list', { plans_data: '"Family"' }, NO_PLANS],
    [
      'too many plans',
      { plans_data: JSON.stringify(Array(51).fill(plan)) },
      rule('These are too many plans'),
    ],
    ['a megabyte of plans', offering({ plan_name: MEGABYTE }), rule('These are too many plans')],
    ['something that is no plan', { plans_data: '[null]' }, PLAN_NAME],
    ['a plan without a name', offering({ plan_name: undefined }), PLAN_NAME],
    ['a plan of blanks', offering({ plan_name: BLANK }), PLAN_NAME],
    ['a plan of zero-width characters', offering({ plan_name: ZERO_WIDTH }), PLAN_NAME],
    ['a plan with a number for a name', offering({ plan_name: 7 }), PLAN_NAME],
    [
      'a long plan name',
      offering({ plan_name: 'x'.repeat(101) }),
      rule('Plan name can be at most 100 characters'),
    ],
    ['no price', offering({ price: null }), PRICE],
    ['a negative price', offering({ price: -0.000001 }), PRICE],
    ['a price that is no number', offering({ price: 'NaN' }), PRICE],
    ['an endless price', offering({ price: 'Infinity' }), PRICE],
    ['a price of words', offering({ price: SCRIPT }), PRICE],
    ['a price beyond all', offering({ price: 1e300 }), rule('Price can be at most 100,000')],
    ['no members', offering({ max_members: 0 }), MEMBERS],
    ['less than no members', offering({ max_members: -4 }), MEMBERS],
    ['members as a text', offering({ max_members: '4' }), MEMBERS],
    [
      'half a member',
      offering({ max_members: 1.5 }),
      rule('Max members must be a whole number up to 10,000'),
    ],
    ['a crowd', offering({ max_members: 1e9 }), rule('Max members must be a whole number up to 10,000')],
    ['no cycle', offering({ billing_cycle: null }), CYCLE],
    ['another cycle', offering({ billing_cycle: 'weekly' }), CYCLE],
    [
      'features that are no list',
      offering({ features: SCRIPT }),
      rule('Features are up to 30 texts of at most 200 characters'),
    ],
    ['plans that are no JSON', { plans_data: '[' }, NOT_AN_ID],
    ['the name of somebody else', { user_id: '00000000-0000-4000-8000-000000000000' }, { code: '42501' }],
  ])('is refused with %s', async (_what, change, refusal) => {
    await expectRefused(scene, scene.nina, insert('provider_requests', { ...good, ...change }), refusal)
  })

  test('keeps a price to the cent, and text of any script as it is', async () => {
    const row = {
      ...good,
      provider_name: `${RTL} ${FAMILY}`,
      description: SCRIPT,
      ...offering({ price: 9.995 }),
    }
    const [text, values] = insert('provider_requests', row)
    const [stored] = await scene.nina.run(`${text} returning *`, [...values])
    expect(stored).toMatchObject({
      provider_name: `${RTL} ${FAMILY}`,
      description: SCRIPT,
      plans_data: [{ price: 10 }],
    })
  })
})

describe('an access request', () => {
  const good = { name: 'Nina', email: 'nina@potluck.example', reason: 'I would like to help out.' }
  const NAME = rule('Name is required')
  const EMAIL = rule('Valid email is required')
  const REASON = rule('Please provide a detailed reason for your request')

  test.each([
    ['no name', { name: null }, NAME],
    ['a letter', { name: ' N ' }, NAME],
    ['blanks for a name', { name: BLANK }, NAME],
    ['zero-width characters for a name', { name: ZERO_WIDTH }, NAME],
    ['a megabyte of name', { name: MEGABYTE }, rule('Name can be at most 120 characters')],
    ['no address', { email: null }, EMAIL],
    ['no at-sign', { email: 'nina.example' }, EMAIL],
    ['two at-signs', { email: 'nina@@potluck.example' }, EMAIL],
    ['an address with a blank', { email: 'ni na@potluck.example' }, EMAIL],
    ['an address without a domain', { email: 'nina@potluck' }, EMAIL],
    ['a megabyte of address', { email: `${MEGABYTE}@potluck.example` }, EMAIL],
    ['no reason', { reason: null }, REASON],
    ['nine characters', { reason: 'x'.repeat(9) }, REASON],
    ['blanks for a reason', { reason: BLANK.repeat(5) }, REASON],
    ['zero-width characters for a reason', { reason: ZERO_WIDTH.repeat(5) }, REASON],
    ['a megabyte of reason', { reason: MEGABYTE }, rule('The reason can be at most 2000 characters')],
    ['a NUL', { reason: 'Please\0 let me in' }, WITH_NUL],
    ['the name of somebody else', { user_id: '00000000-0000-4000-8000-000000000000' }, { code: '42501' }],
  ])('is refused with %s', async (_what, change, refusal) => {
    await expectRefused(scene, scene.nina, insert('admin_role_requests', { ...good, ...change }), refusal)
  })
})

describe('a profile', () => {
  test.each([
    ['a long name', 'display_name', 'x'.repeat(81), { code: '23514' }],
    ['a megabyte of name', 'display_name', MEGABYTE, { code: '23514' }],
    ['a NUL', 'display_name', 'Ni\0na', WITH_NUL],
    ['a megabyte of full name', 'full_name', MEGABYTE, { code: '23514' }],
    ['a megabyte of phone number', 'phone_number', MEGABYTE, { code: '23514' }],
    ['a megabyte of picture', 'avatar_url', MEGABYTE, { code: '23514' }],
    ['another id', 'user_id', '00000000-0000-4000-8000-000000000000', { code: '42501' }],
  ])('is refused with %s', async (_what, column, value, refusal) => {
    const text = `update user_profiles set ${column} = $1 where user_id = $2`
    await expectRefused(scene, scene.nina, [text, [value, scene.nina.id]], refusal)
  })
})
