// Chats for the screen tests: opened through the interface, filled by the server.
import type { TestServer } from '@potluck/server/test/harness.ts'
import { screen, within } from '@testing-library/react'
import { openApp } from './app.tsx'
import { join, newPeople, type People, sharePlan } from './sharing.ts'

export interface Chatters {
  people: People
  parties: { planId: string; ownerId: string; memberId: string }
}

/** Olivia shares a plan with Marc; Zoe has no place in it. */
export async function setTheTable(server: TestServer): Promise<Chatters> {
  const people = await newPeople(server)
  const planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
  return { people, parties: { planId, ownerId: people.olivia.id, memberId: people.marc.id } }
}

/** Opens the plan's page as Olivia or Marc. */
export async function openPlan(server: TestServer, { people, parties }: Chatters, who: 'olivia' | 'marc') {
  return openApp(server, `/subscription/${parties.planId}`, { as: people[who] })
}

/** Opens the chat from the plan's page: Olivia from Marc's row, Marc from her card. */
export async function openChat(server: TestServer, chatters: Chatters, who: 'olivia' | 'marc') {
  const opened = await openPlan(server, chatters, who)
  await opened.user.click(await screen.findByLabelText(/^Chat with/))
  return { ...opened, dialog: within(await screen.findByRole('dialog')) }
}

/** The field to write a message in. */
export const composer = () => screen.findByLabelText(/^Message (?!s)/)

/** Inserts `count` messages "Message 1", "Message 2", … of one sender, all at the same moment. */
export async function fill(
  { db }: TestServer,
  conversationId: string,
  senderId: string,
  count: number,
): Promise<void> {
  await db.query(
    `insert into public.messages (id, conversation_id, sender_id, content, created_at)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, $2, 'Message ' || n,
       timestamptz '2026-01-05 10:00:00.123456Z' from generate_series(1, $3::int) as n`,
    [conversationId, senderId, String(count)],
  )
}
