// Checks rights on a private channel. The project's policies on realtime.messages decide: they are applied to a message
// on the topic, which is inserted only for this check and rolled back.
import { randomUUID } from 'node:crypto'
import { asCaller, type Caller } from '#db/as-caller.ts'
import { type Database, DatabaseError, isUnavailable, type Statement } from '#db/database.ts'

export const PRIVATE_ONLY = 'PrivateOnly: This project only allows private channels to broadcast'
export const mayNot = (what: 'read from' | 'write to', topic: string) =>
  `Unauthorized: You do not have permissions to ${what} this Channel topic: ${topic}`

class RolledBack extends Error {}

/** True if the caller may receive broadcasts of the topic; `topic` has no prefix. */
export async function mayHear(db: Database, caller: Caller, topic: string): Promise<boolean> {
  const id = randomUUID()
  const write = {
    text: `with message as (
        insert into realtime.messages (id, topic, extension, private) values ($1, $2, 'broadcast', true)
      ) select set_config('realtime.topic', $2, true)`,
    values: [id, topic],
  }
  const read = { text: 'select true as found from realtime.messages where id = $1', values: [id] }
  return (await ask(db, caller, write, read)) === 1
}

/** True if the caller may send on the topic. */
export async function maySend(db: Database, caller: Caller, topic: string): Promise<boolean> {
  const name = { text: `select set_config('realtime.topic', $1, true)`, values: [topic] }
  const write = {
    text: `insert into realtime.messages (topic, extension, private) values ($1, 'broadcast', true)`,
    values: [topic],
  }
  return (await ask(db, caller, name, write)) === 0
}

// Returns the number of rows of the second statement, or undefined if a policy refuses, or a function that it calls.
async function ask(
  db: Database,
  caller: Caller,
  before: Statement,
  statement: Statement,
): Promise<number | undefined> {
  let count: number | undefined
  const beforeCommit = ([rows]: unknown[][]) => {
    count = rows?.length
    throw new RolledBack()
  }
  await asCaller(db, caller, [statement], { before, beforeCommit }).catch((error: unknown) => {
    const isRefusal = error instanceof DatabaseError && !isUnavailable(error)
    if (!isRefusal && !(error instanceof RolledBack)) throw error
  })
  return count
}
