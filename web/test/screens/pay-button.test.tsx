// Each button that commits a person to pay says what is then charged: for every way into a place and every way to pay,
// monthly and yearly.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { beforeEach, expect, it } from 'vitest'
import { type Cost, type Duty, payButtonText } from '#domain/pay-button.ts'
import { changePlan, leavePlan, letPass, takePaymentsMeanwhile } from '../acting.ts'
import { newPerson } from '../people.ts'
import {
  join,
  payOwner,
  payThroughSite,
  reportCharge,
  saveCard,
  sayHowPaid,
  sharePlan,
  storeAccess,
} from '../sharing.ts'

const server = await testServer()
const { db } = server
let owner: TestUser
let zoe: TestUser

beforeEach(async () => {
  await takePaymentsMeanwhile(server)
  ;[owner, zoe] = [await newPerson(server, 'ana'), await newPerson(server, 'zoe')]
  await saveCard(server, zoe)
})

type Way = 'direct' | 'potluck'
const settle = (plan: string, way: Way) => (way === 'direct' ? payOwner : payThroughSite)(server, plan)

async function invited(plan: string) {
  await sayHowPaid(owner)
  const { data: id } = await owner.client
    .rpc('invite_member', { p_subscription_id: plan, p_email: zoe.email })
    .throwOnError()
  await zoe.client.rpc('accept_invitation', { p_token: id, p_begin_at_once: true }).throwOnError()
}

async function offered(plan: string) {
  const marc = await newPerson(server, 'marc')
  await saveCard(server, marc)
  await join(owner, marc, plan)
  await changePlan(owner, plan, { owner_max_members: 2 })
  await zoe.client.rpc('join_waiting_list', { p_subscription_id: plan }).throwOnError()
  await leavePlan(plan, marc)
  await join(owner, zoe, plan)
}

async function instant(plan: string) {
  await storeAccess(owner, plan)
  await changePlan(owner, plan, { instant_from: 'new' })
  await zoe.client
    .from('subscription_requests')
    .insert({ subscription_id: plan, begins_at_once_at: new Date().toISOString() })
    .throwOnError()
}

const quote = async (plan: string) =>
  (await zoe.client.rpc('quote_plan', { p_subscription_id: plan }).throwOnError()).data as unknown as Cost
const amounts = async () =>
  (await zoe.client.from('member_payments').select('amount').order('number').throwOnError()).data.map(
    ({ amount }) => amount,
  )

const ENTRIES: Record<string, [Duty, (plan: string) => Promise<void>]> = {
  request: ['ask', (plan) => join(owner, zoe, plan)],
  'offer from the waiting list': ['ask', offered],
  'instant place': ['join', instant],
  invitation: ['join', invited],
}

it.each([
  ['request', 'potluck', 'netflix-premium', 'Ask to join; pay €5.50 when approved', 5.5],
  ['request', 'direct', 'netflix-premium', 'Ask to join; pay Ana €5.00 a month', 5],
  [
    'request',
    'potluck',
    'dropbox-family-annual',
    'Ask to join; pay €3.12 a month (€37.38 a year) when approved',
    3.12,
  ],
  ['request', 'direct', 'dropbox-family-annual', 'Ask to join; pay Ana €2.83 a month (€33.98 a year)', 2.83],
  ['offer from the waiting list', 'potluck', 'netflix-premium', 'Ask to join; pay €5.50 when approved', 5.5],
  ['offer from the waiting list', 'direct', 'netflix-premium', 'Ask to join; pay Ana €5.00 a month', 5],
  [
    'offer from the waiting list',
    'potluck',
    'dropbox-family-annual',
    'Ask to join; pay €3.12 a month (€37.38 a year) when approved',
    3.12,
  ],
  [
    'offer from the waiting list',
    'direct',
    'dropbox-family-annual',
    'Ask to join; pay Ana €2.83 a month (€33.98 a year)',
    2.83,
  ],
  ['instant place', 'potluck', 'netflix-premium', 'Join and pay €5.50 a month', 5.5],
  ['instant place', 'potluck', 'dropbox-family-annual', 'Join and pay €3.12 a month (€37.38 a year)', 3.12],
  ['invitation', 'potluck', 'netflix-premium', 'Join and pay €5.50 a month', 5.5],
  ['invitation', 'direct', 'netflix-premium', 'Join and pay Ana €5.00 a month', 5],
  ['invitation', 'potluck', 'dropbox-family-annual', 'Join and pay €3.12 a month (€37.38 a year)', 3.12],
  ['invitation', 'direct', 'dropbox-family-annual', 'Join and pay Ana €2.83 a month (€33.98 a year)', 2.83],
] as const)('%s, %s, %s: %s', async (entry, way, catalogueId, words, charged) => {
  const [duty, enter] = ENTRIES[entry] ?? []
  if (!duty || !enter) throw new Error(entry)
  const plan = await sharePlan(owner, 4, catalogueId)
  await settle(plan, way)
  expect(payButtonText(duty, await quote(plan), 'Ana')).toBe(words)
  await enter(plan)
  expect(await amounts()).toEqual([charged])
})

it.each([
  ['potluck', 'netflix-premium', 'Accept and pay €5.50 a month', 5.5],
  ['direct', 'netflix-premium', 'Accept and pay Ana €5.00 a month', 5],
  ['potluck', 'dropbox-family-annual', 'Accept and pay €3.11 a month (€37.38 a year)', 3.11],
  ['direct', 'dropbox-family-annual', 'Accept and pay Ana €2.83 a month (€33.98 a year)', 2.83],
] as const)('new terms, %s, %s: %s', async (way, catalogueId, words, charged) => {
  const plan = await sharePlan(owner, 4, catalogueId)
  await settle(plan, way === 'direct' ? 'potluck' : 'direct')
  await join(owner, zoe, plan)
  const { data: first } = await zoe.client
    .from('member_payments')
    .select('id, amount')
    .single()
    .throwOnError()
  if (way === 'direct') {
    await reportCharge(server, first.id, { status: 'succeeded', amount: Number(first.amount) })
  }
  await db.query(`update private.seats set access_given_at = private.now() where member_id = $1`, [zoe.id])
  await db.query(`select private.begin_periods(id) from private.seats where member_id = $1`, [zoe.id])
  if (way === 'potluck') {
    await zoe.client.rpc('say_paid', { p_payment_id: first.id }).throwOnError()
    await owner.client.rpc('confirm_payment', { p_payment_id: first.id }).throwOnError()
  }
  await owner.client.rpc('propose_terms', { p_subscription_id: plan, p_settlement: way }).throwOnError()
  const { data: asked } = await zoe.client.from('term_proposals').select('id').single().throwOnError()
  const { data } = await zoe.client.rpc('quote_terms', { p_proposal_id: asked.id }).throwOnError()
  expect(payButtonText('accept', data as unknown as Cost, 'Ana')).toBe(words)
  const yes = { p_proposal_id: asked.id, p_accept: true, p_begin_at_once: true }
  await zoe.client.rpc('answer_terms', yes).throwOnError()
  await letPass(server, '32 days')
  expect(await amounts()).toEqual([first.amount, charged])
})

it('a place that costs nothing makes nobody pay', () => {
  const free: Cost = {
    ...{ settlement: 'direct', currency: 'EUR', sum: 0, cycleMonths: null, first: null },
    ...{ year: null, instalments: null },
  }
  expect((['join', 'ask', 'accept'] as const).map((duty) => payButtonText(duty, free, 'Ana'))).toEqual([
    'Join',
    'Ask to join',
    'Accept',
  ])
})
