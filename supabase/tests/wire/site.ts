// A site with some people in it, for the tests of a file.
import { afterAll } from 'vitest'
import { addUser, startTestServer, type TestServer, type TestUser } from '../../../server/test/harness.ts'

type Site<Name extends string> = { server: TestServer } & Record<Name, TestUser>

/** Boots a server for this file and signs people up; people with a role beside their name are staff. */
export async function openSite<Name extends string>(roles: Record<Name, string | null>): Promise<Site<Name>> {
  const server = await startTestServer()
  const people: Partial<Record<Name, TestUser>> = {}
  for (const [name, role] of Object.entries(roles) as [Name, string | null][]) {
    const person = await addUser(server, `${name}@potluck.example`)
    people[name] = person
    if (role)
      await server.db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  }
  afterAll(async () => {
    for (const { client } of Object.values<TestUser>(people as Record<Name, TestUser>))
      await client.removeAllChannels()
    await server.close()
  })
  return { server, ...(people as Record<Name, TestUser>) }
}

/** Shares a plan for four; returns its id. */
export async function share({ client }: TestUser): Promise<string> {
  const next_payment = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  const plan = { catalogue_plan_id: 'netflix-premium', owner_max_members: 4, next_payment }
  await client.rpc('declare_seller', { p_is_trader: false }).throwOnError()
  await client.rpc('confirm_age').throwOnError()
  return (await client.from('shared_subscriptions').insert(plan).select('id').single().throwOnError()).data.id
}

export async function join(owner: TestUser, person: TestUser, planId: string): Promise<void> {
  const asked = person.client.from('subscription_requests').insert({ subscription_id: planId })
  const { data } = await asked.select('id').single().throwOnError()
  const request = { p_request_id: data.id, p_subscription_id: planId }
  await owner.client.from('payment_wishes').upsert({ kind: 'text', note: 'Cash' }).throwOnError()
  await owner.client.rpc('approve_subscription_request', request).throwOnError()
}
