// People and plans for the screen tests about sharing, created over HTTP with each person's own client, as the app
// does.
import { PASSWORD, type TestServer, type TestUser } from '@potluck/server/test/harness.ts'
import { newPerson } from './people.ts'

export const password = PASSWORD
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export interface People {
  olivia: TestUser
  marc: TestUser
  zoe: TestUser
}

/** Creates three new accounts: Olivia for an owner, Marc for a member or future member, Zoe for a stranger. */
export async function newPeople(server: TestServer): Promise<People> {
  const [olivia, marc, zoe] = [
    await newPerson(server, 'olivia'),
    await newPerson(server, 'marc'),
    await newPerson(server, 'zoe'),
  ]
  return { olivia, marc, zoe }
}

/** Stores the account login that the members of a plan see; an empty text removes it. */
export const saveLogin = ({ client }: TestUser, plan: string, login: string) =>
  client.functions.invoke('vault/save-plan-login', { body: { plan, login } })

/** Returns the account login that a person sees on a plan's page. */
export const loginFor = async ({ client }: TestUser, plan: string) =>
  (await client.functions.invoke('vault/open-plan-login', { body: { plan } })).data?.login

/** Shares a Netflix Premium plan (EUR 19.99 a month, four people); returns its id. */
export async function sharePlan(
  owner: TestUser,
  places = 4,
  cataloguePlanId = 'netflix-premium',
): Promise<string> {
  const plan = { catalogue_plan_id: cataloguePlanId, owner_max_members: places, next_payment: inDays(20) }
  const { data } = await owner.client
    .from('shared_subscriptions')
    .insert(plan)
    .select('id')
    .single()
    .throwOnError()
  return data.id
}

/** Lets the site take payments, in the simulation that `npm start` uses. */
export async function takePayments(server: TestServer): Promise<void> {
  await server.db.query(`select private.report_payment_provider('simulated', 'test', null)`)
}

/** Changes a plan to one that is paid through the site, so that it shows those prices. */
export async function payThroughSite(server: TestServer, planId: string): Promise<void> {
  await server.db.query(`update public.shared_subscriptions set settlement = 'potluck' where id = $1`, [
    planId,
  ])
}

/** Charges a member's card for their only payment, successfully. */
export async function payByCard(server: TestServer, member: TestUser): Promise<void> {
  const { data } = await member.client.from('member_payments').select('id').single().throwOnError()
  await reportCharge(server, data.id, { status: 'succeeded', amount: 5.5 })
}

/** Reports the outcome of a payment's charge, as the function `payments` would. `amount` is in EUR. */
export async function reportCharge(
  { db }: TestServer,
  payment: string,
  outcome: { status: string; code?: string; amount: number },
): Promise<void> {
  const intent = `pi_${payment}`
  await db.query(`select lease_payment_jobs('simulated', 1)`)
  await db.query(`select record_intents($1)`, [JSON.stringify({ [payment]: intent })])
  await db.query(`select record_charges($1)`, [JSON.stringify([{ intent, ...outcome }])])
}

/** Gives a member access, as when the owner presses "Invitation sent". */
export async function giveAccess(owner: TestUser, member: TestUser, planId: string): Promise<void> {
  const { data } = await owner.client.rpc('plan_seats', { p_subscription_id: planId }).throwOnError()
  const seat = (data as { id: string; member_id: string }[]).find(({ member_id }) => member_id === member.id)
  await owner.client.rpc('give_access', { p_seat_id: seat?.id ?? '', p_address: member.email }).throwOnError()
}

/** Gives a person a card that works. */
export async function saveCard({ db }: TestServer, { id }: TestUser): Promise<void> {
  await db.query('select record_customer($1, $2)', [id, `cus_${id}`])
  await db.query(`select record_card($1, $2, 'visa', '4242', 12, 2040, true)`, [`cus_${id}`, `pm_${id}`])
}

/** Changes a plan to one whose members pay the owner directly. */
export async function payOwner(server: TestServer, planId: string): Promise<void> {
  await server.db.query(`update public.shared_subscriptions set settlement = 'direct' where id = $1`, [
    planId,
  ])
}

/** Asks to join; returns the request's id. */
export async function ask(person: TestUser, planId: string, message = ''): Promise<string> {
  const request = { subscription_id: planId, message, begins_at_once_at: new Date().toISOString() }
  const { data } = await person.client
    .from('subscription_requests')
    .insert(request)
    .select('id')
    .single()
    .throwOnError()
  return data.id
}

/** Stores how members pay this owner directly. */
export const sayHowPaid = async ({ client }: TestUser) =>
  void (await client.from('payment_wishes').upsert({ kind: 'text', note: 'Cash at dinner' }).throwOnError())

/** Stores the access data of a plan: how people get in. */
export async function storeAccess({ client }: TestUser, plan: string): Promise<void> {
  const { error } = await client.functions.invoke('vault/save-plan-entry', {
    body: { plan, password: '', link: '', note: 'The second profile is yours', keep: false },
  })
  if (error) throw error
}

/**
 * Runs work that requires an owner to have stored how they are paid. If the owner has not, stores it only during the
 * work, because most screen tests are about the time before.
 */
export async function sayingHowPaid<Done>(owner: TestUser, work: () => PromiseLike<Done>): Promise<Done> {
  const own = () => owner.client.from('payment_wishes')
  const { data: said } = await own().select('kind').eq('user_id', owner.id).throwOnError()
  if (said.length === 0) await sayHowPaid(owner)
  try {
    return await work()
  } finally {
    if (said.length === 0) await own().delete().eq('user_id', owner.id).throwOnError()
  }
}

/** Gives a person a place in a plan: the person asks, and the owner approves. */
export async function join(owner: TestUser, person: TestUser, planId: string): Promise<void> {
  const id = await ask(person, planId)
  const request = { p_request_id: id, p_subscription_id: planId }
  await sayingHowPaid(owner, () => owner.client.rpc('approve_subscription_request', request).throwOnError())
}

/** Says "I've paid" for a member's only payment, which goes directly to the owner. */
export async function claimPayment(member: TestUser): Promise<void> {
  const { data } = await member.client.from('member_payments').select('id').single().throwOnError()
  await member.client.rpc('say_paid', { p_payment_id: data.id }).throwOnError()
}

/** Records that owners have given access to all members who pay directly, without storing access data. */
export async function letIn({ db }: TestServer): Promise<void> {
  await db.query(`update private.seats set access_given_at = private.now()
    where settlement = 'direct' and ended_at is null and access_given_at is null`)
  await db.query(`select private.begin_periods(id) from private.seats
    where settlement = 'direct' and ended_at is null and anchor is null`)
}

/** Ages a request so that `hours` of its time remain. */
export async function leaveHours(server: TestServer, requestId: string, hours: number): Promise<void> {
  await server.db.query(
    `update public.subscription_requests set requested_at = now() - interval '48 hours' + $2::interval where id = $1::uuid`,
    [requestId, `${hours} hours`],
  )
}

/** Sends a message in the chat of a plan; returns the conversation's id. */
export async function say(
  person: TestUser,
  { planId, ownerId, memberId }: { planId: string; ownerId: string; memberId: string },
  content: string,
): Promise<string> {
  const parties = { p_subscription_id: planId, p_owner_id: ownerId, p_member_id: memberId }
  const { data } = await person.client.rpc('find_or_create_conversation', parties).throwOnError()
  await person.client
    .from('messages')
    .insert({
      conversation_id: data,
      sender_id: person.id,
      content,
      message_type: 'user',
      metadata: { status: 'sent', retry_count: 0 },
    })
    .throwOnError()
  return data
}
