// Hashes passwords off the event loop, in the format Supabase Auth uses, so that accounts can move.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/bcrypt'
import limitConcurrency from 'p-limit'

/** bcrypt reads no further; a longer password would match everything that begins alike. Bytes, not characters. */
export const LONGEST_PASSWORD = 72

const COST = 10
// Of a random password nobody was told, so that an unknown address costs as much time as a wrong password.
const NOBODYS_HASH = '$2b$10$azdh.yCv.Nsx6BzQ6x5ToecRwBBmV9Rz/ho.weXMULBtAjNu.QeHa'

// Passwords may keep every core busy but one, so that whoever only reads does not wait for those who sign in.
const inTurn = limitConcurrency(Math.max(1, availableParallelism() - 1))

export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password, { cost: COST }))

/** Whether the password is the stored one. Takes the same time when there is none to compare with. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  const matches = await inTurn(() => verify(password, stored ?? NOBODYS_HASH))
  return matches && stored != null && Buffer.byteLength(password) <= LONGEST_PASSWORD
}
