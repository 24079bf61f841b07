// The whole app on one screen, over the real server in process.
import { notifications } from '@mantine/notifications'
import { PASSWORD, type TestServer } from '@potluck/server/test/harness.ts'
import { GoTrueClient } from '@supabase/supabase-js'
import { timeoutManager } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { act, render, waitFor } from '@testing-library/react'
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event'
import { expect, vi } from 'vitest'
import { App } from '#app.tsx'
import { completeArrival } from '#features/account/auth/arrival.ts'
import { holdForeignTokens } from '#features/account/auth/foreign-session.ts'
import { type Config, setConfig } from '#lib/config.ts'
import { connectSupabase } from '#lib/connect.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { followSession } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { createAppRouter } from '#router.ts'
import type { ToastKind } from '#ui/toasts.ts'

let leave: (() => Promise<void>) | undefined

/** Leaves the page that is open, if any: setup.ts does so after each test. */
export async function leaveApp(): Promise<void> {
  const leaving = leave
  leave = undefined
  await leaving?.()
}

const setWait = timeoutManager.setInterval.bind(timeoutManager)

/** Lists that changed are loaded again as ever, but not seconds after their last load: lib/query.test.tsx proves how long. */
function hastenPaces(): void {
  vi.spyOn(timeoutManager, 'setInterval').mockImplementation((load, ms) =>
    setWait(load, ms <= 5000 ? ms / 50 : ms),
  )
}

interface OpenOptions {
  /** Values that replace or add to those of the test site's configuration. */
  site?: Partial<Config>
  /** Signs in before the screen opens, with everybody's password unless another one is told. */
  as?: { email: string; password?: string }
  demo?: { email: string; password: string }[]
  /** The address is the browser's own too, as when a provider or a mail leads there. */
  arriving?: boolean
}

/** Opens the app at an address, as a browser does that has loaded the page. */
export async function openApp(
  server: TestServer,
  address: string,
  { as, demo = [], site, arriving = false }: OpenOptions = {},
) {
  await leaveApp()
  hastenPaces()
  // A page of its own has the first client of its own, which the client would else count as a second one.
  Object.assign(GoTrueClient, { nextInstanceID: {} })
  if (arriving) {
    window.history.replaceState(null, '', address)
    holdForeignTokens(window)
  }
  const client = await connectSupabase(
    setConfig({
      supabaseUrl: server.url,
      supabaseAnonKey: server.anonKey,
      outbox: true,
      demo,
      logoKey: null,
      operatorName: 'Potluck Test',
      operator: {},
      signInWith: [],
      signInByMail: true,
      ...site,
    }),
  )
  if (as) {
    const { error } = await client.auth.signInWithPassword({
      email: as.email,
      password: as.password ?? PASSWORD,
    })
    if (error) throw error
  }
  const unfollow = followSession(client)
  if (arriving) await completeArrival(client, window)
  const queryClient = createQueryClient()
  // What fails is tried again as often as ever, but without the library's pauses in between.
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } })
  const start = arriving ? window.location.href.slice(window.location.origin.length) : address
  const router = createAppRouter(queryClient, { history: createMemoryHistory({ initialEntries: [start] }) })
  const view = render(<App queryClient={queryClient} router={router} />)
  leave = async () => {
    view.unmount()
    window.history.replaceState(null, '', '/')
    // Toasts outlive the page they were shown on.
    notifications.clean()
    notifications.cleanQueue()
    unfollow()
    queryClient.clear()
    // As a page that closes: the library would wait to see the connection closed, which it looks for each 150 ms.
    void supabase().removeAllChannels()
    await supabase().auth.stopAutoRefresh()
  }
  // Whether a style lets a click through is for a browser to say: asking jsdom on every click takes as long as the click.
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })
  /** As a person clicks: not while the button turns or is grey because what was asked before is still being loaded. */
  const click = async (element: Element) => {
    await waitFor(() => expect(element.closest('[data-loading], :disabled')).toBeNull())
    await user.click(element)
  }
  /** Words arrive at once, as pasted ones do: the page would be drawn anew for every letter. Keys such as {Enter} follow one by one. */
  const type = async (element: Element, text: string) => {
    const [, words = '', keys = ''] = /^([^{]*)(.*)$/s.exec(text) ?? []
    await user.click(element)
    // What arrives late may have taken the focus, and words go to whatever has it.
    act(() => (element as HTMLElement).focus())
    if (words) await user.paste(words)
    if (keys) await user.keyboard(keys)
  }
  return {
    user: { ...user, click, type },
    router,
    client,
    cache: queryClient,
    at: () => router.state.location.href,
  }
}

/** Waits until the page has joined this live channel: what happens before is loaded, not heard. */
export async function listening(topic: string): Promise<void> {
  await waitFor(() => {
    const channel = supabase()
      .getChannels()
      .find((known) => known.topic === `realtime:${topic}`)
    expect(channel?.state).toBe('joined')
  })
}

/** Waits for a toast of this kind with this title and description. */
export async function toasted(kind: ToastKind, title: string, text = ''): Promise<void> {
  await waitFor(() => {
    const toasts = [...document.querySelectorAll(`[data-kind="${kind}"]`)].map((toast) => toast.textContent)
    expect(toasts).toContain(title + text)
  })
}
