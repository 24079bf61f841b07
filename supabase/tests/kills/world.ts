// Owners, members with cards, and their actions over HTTP at any moment, whether the server runs or not.
import type { Database } from '@potluck/server/db/database.ts'
import { createTokens } from '../../../server/src/identity/tokens.ts'
import { addAccount } from '../../../server/test/harness.ts'
import { single } from '../answers.ts'
import type { StripeDouble } from '../edge-functions/stripe-double.ts'
import { addStaff, confirmAge, signedInWith, statements } from '../people.ts'
import { sharePaid } from '../till.ts'

const MEMBERS_OF_A_PLAN = 3
/** How cards behave; most work. */
const CARDS = ['works', 'works', 'works', 'works', 'declined', 'asks']

interface Account {
  id: string
  email: string
  accessToken: string
}
interface Place {
  plan: string
  owner: Account
  member: Account
  request: string
}

export interface World {
  /** The public key, once a server has returned it. */
  key: string
  places: Place[]
  /** Approved places and paid payments that the server has acknowledged. */
  approved: Place[]
  paid: string[]
}

/** Fills an empty database: each plan has an owner, and members who have asked for a place. */
export async function fill(
  db: Database,
  secret: string,
  plans: number,
  random: () => number,
  stripe: StripeDouble,
): Promise<World> {
  const { sql } = statements(db)
  await sql`update private.rate_limits set attempts = 1000000`
  await sql`select report_payment_provider('stripe', 'test', 'pk_test', true)`
  // Jobs that run every ten seconds or once a minute run often enough to be interrupted.
  const hurry = `select cron.alter_job(jobid, schedule := '1 second') from cron.job
    where jobname in ('due-work', 'payments')`
  await db.transaction((tx) => tx.query(hurry), { role: 'project_owner' })
  const server = { db, tokens: createTokens(secret), url: 'http://127.0.0.1' }
  const ada = await addStaff(db, 'ada', 'admin')
  const account = async (name: string) => {
    const one = await addAccount(server, `${name}@potluck.example`)
    await confirmAge(db, one.id)
    return one
  }
  const pay = async (member: Account) => {
    const card = CARDS[Math.floor(random() * CARDS.length)]
    const [customer, method] = [`cus_${member.id}`, `pm_${card}_${member.id}`]
    stripe.things.set(method, { id: method, customer })
    await sql`select record_customer(${member.id}, ${customer})`
    await sql`select record_card(${customer}, ${method}, 'visa', '4242', 12, 2040, true)`
    await ada.sql`select adjust_wallet(${member.id}, 2, 'A start')`
  }
  /** Declares the owner a private person, to whom Stripe may send money. */
  const openAccount = async ({ id, email }: Account) => {
    const body = JSON.stringify({ contact_email: email })
    const made = await fetch(`${stripe.url}/v2/core/accounts`, { method: 'POST', body })
    const { id: reference } = await made.json()
    stripe.connect.setReady(reference)
    await sql`insert into private.sellers (user_id, is_trader) values (${id}, false)`
    await sql`select register_account(${id}, ${reference})`
    await sql`select record_account(${reference}, true, true, '{}', null)`
  }
  const places: Place[] = []
  for (let number = 0; number < plans; number += 1) {
    const owner = await account(`olivia${number}`)
    await openAccount(owner)
    const plan = await sharePaid(signedInWith(db, owner, ['password']), undefined, MEMBERS_OF_A_PLAN + 1)
    for (let place = 0; place < MEMBERS_OF_A_PLAN; place += 1) {
      const member = await account(`mia${number}.${place}`)
      await pay(member)
      const request = await single(signedInWith(db, member, ['password']).sql`
        insert into subscription_requests (subscription_id, coins_first, begins_at_once_at)
        values (${plan.id}, ${random() < 0.3}, now()) returning id`)
      places.push({ plan: plan.id, owner, member, request })
    }
  }
  return { key: '', places, approved: [], paid: [] }
}

/** Sends a POST request; undefined if the server stopped meanwhile. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response | undefined>

const by = ({ accessToken }: Account, body?: unknown): RequestInit => ({
  headers: { authorization: `Bearer ${accessToken}` },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})
/** The body of a successful response, which may break off in the middle. */
const said = async (answer: Response | undefined) =>
  answer?.ok ? answer.json().catch(() => undefined) : undefined

/** Reports that a cardholder's bank takes a payment back. */
export async function tellDispute(
  stripe: StripeDouble,
  ask: Ask,
  dispute: Record<string, unknown>,
): Promise<void> {
  const { path, ...webhook } = await stripe.webhook('charge.dispute.created', dispute)
  await ask(`/functions/v1/payments${path}`, webhook)
}

/** Does one action of a person, or repeats an event from the provider. */
export async function act(world: World, stripe: StripeDouble, ask: Ask, random: () => number): Promise<void> {
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const luck = random()
  const waiting = world.places.find((place) => !world.approved.includes(place))
  if (luck < 0.4 && waiting) {
    const body = { p_request_id: waiting.request, p_subscription_id: waiting.plan }
    const answer = await ask('/rest/v1/rpc/approve_subscription_request', by(waiting.owner, body))
    // Status 400 means that the server had approved the request before, and the answer was lost.
    if (answer?.ok || answer?.status === 400) world.approved.push(waiting)
    return
  }
  const place = one(world.approved)
  if (luck < 0.7 && place) {
    const path = '/rest/v1/member_payments?select=id&status=in.(due,failed,needs-action)'
    const [due] = (await said(await ask(path, { ...by(place.member), method: 'GET' }))) ?? []
    const payment = due?.id
    if (!payment) return
    const answer = await said(await ask('/functions/v1/payments/pay', by(place.member, { payment })))
    if (answer?.status === 'succeeded') world.paid.push(payment)
  } else if (luck < 0.9) {
    const intent = one([...stripe.things.values()].filter(({ id }) => id.startsWith('pi_')))
    if (!intent) return
    const dispute = `dp_${intent.id}`
    const isRefunded = [...stripe.things.values()].some(
      (one) => one.id.startsWith('re_') && one.payment_intent === intent.id,
    )
    if (luck > 0.87 && intent.status === 'succeeded' && !stripe.things.has(dispute) && !isRefunded) {
      const fields = {
        payment_intent: intent.id,
        amount: intent.amount,
        status: 'needs_response',
        reason: 'fraudulent',
      }
      stripe.things.set(dispute, {
        id: dispute,
        ...fields,
        evidence_details: { due_by: null },
        balance_transactions: [],
      })
      return tellDispute(stripe, ask, stripe.things.get(dispute) ?? {})
    }
    const type = intent.status === 'succeeded' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed'
    const { path, ...webhook } = await stripe.webhook(type, intent)
    await Promise.all([1, 2].map(() => ask(`/functions/v1/payments${path}`, webhook)))
  } else if (place) {
    const row = `subscription_id=eq.${place.plan}&user_id=eq.${place.member.id}`
    const who = luck < 0.95 ? place.owner : place.member
    await ask(`/rest/v1/subscription_members?${row}`, { ...by(who), method: 'DELETE' })
  }
}
