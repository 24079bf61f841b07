// Somebody asks for a sign-in mail each second, always for a new address.
import { setTimeout as pause } from 'node:timers/promises'
import type { Mailbox } from '../../../server/test/mailbox.ts'

const EVERY_MS = 1_000

export function askForMail(urls: readonly string[], key: string) {
  const asked: string[] = []
  let isOver = false
  const asking = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const email = `newcomer${turn}@potluck.example`
      const answer = await fetch(`${urls[turn % urls.length]}/auth/v1/otp`, {
        method: 'POST',
        headers: { apikey: key, 'content-type': 'application/json' },
        body: JSON.stringify({ email, create_user: true }),
        signal: AbortSignal.timeout(20_000),
      }).catch(() => undefined)
      if (answer?.ok) asked.push(email)
      await pause(EVERY_MS)
    }
  })()
  return {
    end: async () => {
      isOver = true
      await asking
    },
    /** Throws unless every mail that was promised has arrived; returns how many arrived more than once. */
    delivered: ({ received }: Mailbox) => {
      const times = new Map<string, number>()
      for (const mail of received) {
        const to = /^To: <?([^\s>]+)/im.exec(mail)?.[1] ?? ''
        times.set(to, (times.get(to) ?? 0) + 1)
      }
      const missing = asked.filter((email) => !times.has(email))
      if (missing.length > 0)
        throw new Error(`${missing.length} mails have not arrived: ${missing.slice(0, 5)}`)
      return { asked: asked.length, doubled: asked.filter((email) => (times.get(email) ?? 0) > 1).length }
    },
  }
}
