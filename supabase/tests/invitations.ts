// Invitations for SQL tests, created and answered the way a client does.
import type { Database } from '@potluck/server/db/database.ts'
import { single } from './answers.ts'
import { waitingMails } from './mail-words.ts'
import { type Person, statements } from './people.ts'
import { type SharedPlan, sayingHowPaid } from './plans.ts'

export function invitationsIn(db: Database) {
  const { sql } = statements(db)
  const invite = ({ id, owner }: SharedPlan, email: string) =>
    sayingHowPaid(owner, () => single(owner.sql`select invite_member(${id}, ${email})`))
  /** Returns the text of the invitation that waits to be mailed to an email address, and the secret in its link. */
  const mailTo = async (email: string) => {
    const mail = (await waitingMails(db, email)).find(({ event }) => event === 'invited')
    return { said: mail?.said, token: mail?.path?.replace('/invitation/', '') ?? '' }
  }
  const invited = async (plan: SharedPlan, person: Person) => {
    const id = await invite(plan, person.email)
    return { id, ...(await mailTo(person.email)) }
  }
  const accept = (person: Person, token: string) => person.sql`select accept_invitation(${token}, true)`
  const decline = (person: Person, token: string) => person.sql`select decline_invitation(${token})`
  const withdraw = (person: Person, id: string) => person.sql`select revoke_invitation(${id})`
  const look = (person: Person, token: string) =>
    person.sql`select status, provider, name, member_price, owner_name from get_invitation(${token})`
  const passDays = (id: string, days: number) =>
    sql`update subscription_invitations set created_at = created_at - ${`${days} days`}::interval, expires_at = expires_at - ${`${days} days`}::interval where id = ${id}`
  return { invite, mailTo, invited, accept, decline, withdraw, look, passDays }
}
