// Plans and their places, sent directly.
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import { denied, insertion, notFound, rule, taken } from '../people.ts'
import { expectRefused, FAMILY, MEGABYTE, RTL, SCRIPT, STRANGE_IDS, setScene } from './scene.ts'

const scene = await setScene(await testDatabase())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const good = () => ({
  catalogue_plan_id: 'disney-plus-premium',
  owner_max_members: '3',
  next_payment: inDays(30),
})

const MISSING_DATE = rule('Please enter next renewal date.')
const PAST_DATE = rule('Renewal date cannot be in the past.')
const NOT_SOLD = rule('This plan is not in the catalogue')
const FIXED = rule('The price and terms of a plan are fixed by its provider')
const NOT_A_DATE = { code: '22007' }
const NO_SUCH_DATE = { code: '22008' }
const NOT_A_NUMBER = { code: '22P02' }
const OUT_OF_RANGE = { code: '22003' }
const WITH_NUL = { code: '22021' }

describe('a new plan', () => {
  test.each([
    ['no date', { next_payment: null }, MISSING_DATE],
    ['the year 9999', { next_payment: '9999-12-31' }, MISSING_DATE],
    ['the last day there is', { next_payment: '5874897-12-31' }, MISSING_DATE],
    ['a date without end', { next_payment: 'infinity' }, MISSING_DATE],
    ['the day before yesterday', { next_payment: inDays(-2) }, PAST_DATE],
    ['the year 1', { next_payment: '0001-01-01' }, PAST_DATE],
    ['a date before all', { next_payment: '-infinity' }, PAST_DATE],
    ['a year before Christ', { next_payment: '4713-01-01 BC' }, PAST_DATE],
    ['the 30th of February', { next_payment: '2031-02-30' }, NO_SUCH_DATE],
    ['the year 0', { next_payment: '0000-01-01' }, NO_SUCH_DATE],
    ['words for a date', { next_payment: 'soon' }, NOT_A_DATE],
    ['markup for a date', { next_payment: SCRIPT }, NOT_A_DATE],
    ['no catalogue plan', { catalogue_plan_id: null }, NOT_SOLD],
    ['an empty catalogue plan', { catalogue_plan_id: '' }, NOT_SOLD],
    ['markup for a catalogue plan', { catalogue_plan_id: SCRIPT }, NOT_SOLD],
    ['a catalogue plan from right to left', { catalogue_plan_id: RTL }, NOT_SOLD],
    ['a catalogue plan of emoji', { catalogue_plan_id: FAMILY }, NOT_SOLD],
    ['a megabyte of catalogue plan', { catalogue_plan_id: MEGABYTE }, NOT_SOLD],
    ['a NUL in a catalogue plan', { catalogue_plan_id: 'disney\0plus' }, WITH_NUL],
    [
      'a plan for one',
      { catalogue_plan_id: 'spotify-premium-individual' },
      rule('This plan cannot be shared'),
    ],
    ['another name', { name: SCRIPT }, FIXED],
    ['an empty name', { name: '' }, FIXED],
    ['a megabyte of name', { name: MEGABYTE }, FIXED],
    ['another provider', { provider: RTL }, FIXED],
    ['a price of nothing', { total_price: '0' }, FIXED],
    ['a negative price', { total_price: '-0.01' }, FIXED],
    ['a price with many decimals', { total_price: '0.333333333333333333' }, FIXED],
    ['a price that is no number', { total_price: 'NaN' }, FIXED],
    ['an endless price', { total_price: 'Infinity' }, OUT_OF_RANGE],
    ['a price beyond all', { total_price: '1e300' }, OUT_OF_RANGE],
    ['words for a price', { total_price: 'free' }, NOT_A_NUMBER],
    ['another share', { member_price: '0.01' }, FIXED],
    ['another cycle', { billing_cycle: 'weekly' }, FIXED],
    ['other members', { max_members: '1000' }, FIXED],
    ['no places', { owner_max_members: null }, 'slots'],
    ['a place for the owner alone', { owner_max_members: '1' }, 'slots'],
    ['less than no places', { owner_max_members: '-2147483648' }, 'slots'],
    ['a place more than it covers', { owner_max_members: '5' }, 'slots'],
    ['too many places', { owner_max_members: '2147483647' }, 'slots'],
    ['places beyond a number', { owner_max_members: '2147483648' }, OUT_OF_RANGE],
    ['half a place', { owner_max_members: '2.5' }, NOT_A_NUMBER],
    [
      'a provider shared already',
      { catalogue_plan_id: 'netflix-standard-with-ads', owner_max_members: '2' },
      taken('Each user can only share one plan per service provider.'),
    ],
    [
      'the name of somebody else',
      { owner_id: '00000000-0000-4000-8000-000000000000' },
      denied('You can only share a plan in your own name'),
    ],
    ['an owner that is no id', { owner_id: SCRIPT }, NOT_A_NUMBER],
  ] as const)('is refused with %s', async (_what, change, refusal) => {
    const [sold] = await scene.db.query<{ most: number }>(
      `select (private.find_catalogue_plan('disney-plus-premium', null, null)).max_members as most`,
    )
    const slots = rule(`Open slots must be between 1 and ${Number(sold?.most) - 1}.`)
    const row = { ...good(), ...change }
    await expectRefused(
      scene,
      scene.olivia,
      insertion('shared_subscriptions', row),
      refusal === 'slots' ? slots : refusal,
    )
  })

  test('has what the database decides, whatever was sent', async () => {
    const [plan] = await scene.nina.sql`insert into shared_subscriptions
         (id, catalogue_plan_id, owner_max_members, next_payment, description, category, logo, currency, owner, total_price)
       values (${SCRIPT}, 'netflix-premium', 2, ${inDays(1)}, ${MEGABYTE}, ${FAMILY}, ${FAMILY}, 'USD', ${SCRIPT}, 19.990000000001) returning *`
    expect(plan).toMatchObject({
      id: expect.stringMatching(/^sub-\d{13}-[0-9a-f]{10}$/),
      category: 'streaming',
      currency: 'EUR',
      status: 'active',
      total_price: '19.99',
      owner: scene.nina.email.split('@')[0],
    })
    expect(JSON.stringify(plan)).not.toContain(FAMILY)
    expect(String(plan?.description).length).toBeLessThan(500)
  })
})

describe('a change of a plan', () => {
  const TOO_FEW = rule('Cannot set less than 2 members (already joined).')
  const TOO_MANY = rule("Cannot exceed provider's maximum limit of 4 members.")

  test.each([
    ['no places', 'owner_max_members', null, TOO_FEW],
    ['a place less than members', 'owner_max_members', '1', TOO_FEW],
    ['less than none', 'owner_max_members', '-1', TOO_FEW],
    ['a place more than the provider allows', 'owner_max_members', '5', TOO_MANY],
    ['every place there is', 'owner_max_members', '2147483647', TOO_MANY],
    ['more than a number', 'owner_max_members', '99999999999', OUT_OF_RANGE],
    ['a number that is none', 'owner_max_members', 'NaN', NOT_A_NUMBER],
    ['no date', 'next_payment', null, MISSING_DATE],
    ['the year 9999', 'next_payment', '9999-12-31', MISSING_DATE],
    ['a date without end', 'next_payment', 'infinity', MISSING_DATE],
    ['the year 1', 'next_payment', '0001-01-01', PAST_DATE],
    ['a date before all', 'next_payment', '-infinity', PAST_DATE],
    ['a lower price', 'total_price', '0.01', { code: '42501' }],
    ['a smaller share', 'member_price', '0.01', { code: '42501' }],
    ['another owner', 'owner_id', null, { code: '42501' }],
    ['fewer members', 'current_members', '1', { code: '42501' }],
    ['another id', 'id', 'sub-1-a', { code: '42501' }],
  ] as const)('is refused with %s', async (_what, column, value, refusal) => {
    const text = `update shared_subscriptions set ${column} = $1 where id = $2`
    await expectRefused(scene, scene.olivia, [text, [value, scene.plan]], refusal)
  })
})

describe('a plan id of another shape', () => {
  const NOT_FOUND = notFound('Subscription not found')
  const NAMES = ['nothing', 'a bare prefix', 'capitals', 'a provider', 'right to left', 'a family', 'markup']
  const NAMED = [...NAMES, 'zero width', 'a wildcard', 'a megabyte']

  test.each(NAMED.map((name, index) => [name, STRANGE_IDS[index] ?? '']))(
    'is not found: %s',
    async (_name, id) => {
      const { olivia, marc, nina } = scene
      for (const verb of ['approve', 'reject'])
        await expectRefused(
          scene,
          olivia,
          [`select ${verb}_subscription_request($1, $2)`, [scene.request, id]],
          NOT_FOUND,
        )
      await expectRefused(
        scene,
        marc,
        ['select find_or_create_conversation($1, $2, $3)', [id, olivia.id, marc.id]],
        NOT_FOUND,
      )
      await expectRefused(scene, nina, insertion('subscription_requests', { subscription_id: id }), NOT_FOUND)
      await expectRefused(scene, olivia, ['select invite_member($1, $2)', [id, 'a@b.example']], NOT_FOUND)
      expect(await olivia.sql`select is_subscription_owner(${id}) as owns`).toEqual([{ owns: false }])
      expect(await olivia.sql`select 1 from shared_subscriptions where id = ${id}`).toEqual([])
    },
  )
})
