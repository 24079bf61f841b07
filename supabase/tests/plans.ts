// Plans for SQL tests, made the way a client makes them.
import type { Database } from '@potluck/server/db/database.ts'
import { addPerson, as, type Person } from './people.ts'

export interface SharedPlan {
  id: string
  owner: Person
}

/** Shares a catalogue plan as `owner`, with `places` in all (the owner's own included). */
export async function sharePlan(
  db: Database,
  owner: Person,
  { catalogueId = 'netflix-premium', places = 4 }: { catalogueId?: string; places?: number } = {},
): Promise<SharedPlan> {
  const [plan] = await as<{ id: string }>(
    db,
    owner,
    `insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment)
     values ($1, $2, current_date + 30) returning id`,
    [catalogueId, String(places)],
  )
  if (!plan) throw new Error('No plan came back')
  return { id: plan.id, owner }
}

/** Asks for a place and answers the request's id. */
export async function ask(db: Database, person: Person, plan: SharedPlan, message = ''): Promise<string> {
  const [request] = await as<{ id: string }>(
    db,
    person,
    'insert into subscription_requests (subscription_id, message) values ($1, $2) returning id',
    [plan.id, message],
  )
  if (!request) throw new Error('No request came back')
  return request.id
}

export async function approve(db: Database, plan: SharedPlan, requestId: string): Promise<void> {
  await as(db, plan.owner, 'select approve_subscription_request($1, $2)', [requestId, plan.id])
}

/** Asks and is let in. */
export async function join(db: Database, person: Person, plan: SharedPlan): Promise<void> {
  await approve(db, plan, await ask(db, person, plan))
}

/** Olivia shares a plan, Marc is a member, Zoe is a stranger. */
export async function setTheTable(
  db: Database,
): Promise<{ olivia: Person; marc: Person; zoe: Person; plan: SharedPlan }> {
  const olivia = await addPerson(db, 'Olivia')
  const marc = await addPerson(db, 'Marc')
  const zoe = await addPerson(db, 'Zoe')
  const plan = await sharePlan(db, olivia)
  await join(db, marc, plan)
  return { olivia, marc, zoe, plan }
}

/** Opens the chat of the plan's owner and a member, as the owner; answers the conversation's id. */
export async function openChat(db: Database, plan: SharedPlan, member: Person): Promise<string> {
  const [row] = await as<{ id: string }>(
    db,
    plan.owner,
    'select find_or_create_conversation($1, $2, $3) as id',
    [plan.id, plan.owner.id, member.id],
  )
  if (!row) throw new Error('No conversation came back')
  return row.id
}
