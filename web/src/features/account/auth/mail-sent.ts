import { MAIL_WAIT_SECONDS } from '@potluck/supabase/limits'
import * as z from 'zod/mini'
import { trimEmail } from '#domain/text.ts'
import { toAppError } from '#lib/errors.ts'
import { perTab, readJson, storageKeys, write } from '#lib/storage.ts'
import { rememberEmail } from './post-login.ts'

const mailSchema = z.object({
  email: z.string(),
  /** The purpose of the mail: to confirm a new account, to sign in, or to set a new password. */
  kind: z.enum(['account', 'link', 'recovery']),
  /** The recipient's name; empty if the form did not ask for it. */
  name: z.string(),
  /** The page with the form that sent the mail. */
  from: z.string(),
  /** The time from which the server accepts another request for this mail, in ms since 1970. */
  again: z.number(),
})

/** The last sign-in mail, remembered by this tab across reloads. */
export type SentMail = z.infer<typeof mailSchema>

export const recallMail = (): SentMail | null =>
  readJson(perTab, storageKeys.mailSent, (kept) => mailSchema.safeParse(kept).data ?? null)

/** Remembers a mail that was just sent, or that the server will not send again for another `seconds`. */
export function rememberMail(mail: Omit<SentMail, 'again'>, seconds: number = MAIL_WAIT_SECONDS): SentMail {
  const sent = { ...mail, email: trimEmail(mail.email), again: Date.now() + seconds * 1000 }
  rememberEmail(sent.email)
  write(perTab, storageKeys.mailSent, JSON.stringify(sent))
  return sent
}

/** Returns how many seconds the auth service asks to wait before another mail; 0 for any other problem. */
export const mailWaitIn = (problem: unknown): number =>
  Number(/after (\d+) seconds/.exec(toAppError(problem).message)?.[1] ?? 0)
