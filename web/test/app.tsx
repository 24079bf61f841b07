// The whole app on one screen, with a real server in the same process.
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
import { local, storageKeys, write } from '#lib/storage.ts'
import { supabase } from '#lib/supabase.ts'
import { createAppRouter } from '#router.ts'
import type { ToastKind } from '#ui/toasts.ts'

let leave: (() => Promise<void>) | undefined

/** Closes the open page, if there is one; setup.ts calls this after each test. */
export async function leaveApp(): Promise<void> {
  const leaving = leave
  leave = undefined
  await leaving?.()
}

const setWait = timeoutManager.setInterval.bind(timeoutManager)

/** Reloads changed lists without waiting some seconds after their last load; lib/query.test.tsx tests these waits. */
function hastenPaces(): void {
  vi.spyOn(timeoutManager, 'setInterval').mockImplementation((load, ms) =>
    setWait(load, ms <= 5000 ? ms / 50 : ms),
  )
}

interface OpenOptions {
  /** Values that replace or add to those of the test site's configuration. */
  site?: Partial<Config>
  /** Signs this person in before the app opens; the default password is the one of all test accounts. */
  as?: { email: string; password?: string }
  demo?: { email: string; password: string }[]
  /** True if nobody has signed in with this browser before. */
  newcomer?: boolean
  /** True if the browser's URL is set too, as when a provider or a mail leads to the page. */
  arriving?: boolean
}

/** Opens the app at a path, like a browser that has just loaded the page. */
export async function openApp(
  server: TestServer,
  address: string,
  { as, demo = [], site, newcomer = false, arriving = false }: OpenOptions = {},
) {
  await leaveApp()
  hastenPaces()
  // Each test stands for a new page, so its client gets the first instance number; otherwise the client would warn
  // about a second client in one page.
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
      takesReports: true,
      signInWith: [],
      signInByMail: true,
      ...site,
    }),
  )
  write(local, storageKeys.knownDevice, newcomer ? null : 'yes')
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
  // Failed queries are retried as often as in production, but without pauses.
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } })
  const start = arriving ? window.location.href.slice(window.location.origin.length) : address
  const router = createAppRouter(queryClient, { history: createMemoryHistory({ initialEntries: [start] }) })
  const view = render(<App queryClient={queryClient} router={router} />)
  leave = async () => {
    view.unmount()
    window.history.replaceState(null, '', '/')
    // Toasts would stay on the screen after their page has closed.
    notifications.clean()
    notifications.cleanQueue()
    unfollow()
    queryClient.clear()
    // The channels close without waiting, as when a page closes: the library would poll the closed connection every 150
    // ms.
    void supabase().removeAllChannels()
    await supabase().auth.stopAutoRefresh()
  }
  // Does not check for every click whether CSS blocks it: in jsdom that takes as long as the click, and browser tests
  // check it.
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })
  /** Clicks once the element is neither busy nor disabled by earlier work that still loads. */
  const click = async (element: Element) => {
    await waitFor(() => expect(element.closest('[data-loading], :disabled')).toBeNull())
    await user.click(element)
  }
  /**
   * Pastes the words in one step, since typing would render the page for every letter; keys such as {Enter} follow one
   * by one.
   */
  const type = async (element: Element, text: string) => {
    const [, words = '', keys = ''] = /^([^{]*)(.*)$/s.exec(text) ?? []
    await user.click(element)
    // Something that loaded late may have taken the focus, and the words go to the focused element.
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

/** Waits until the page has joined this live channel: changes made before are loaded, not received live. */
export async function listening(topic: string): Promise<void> {
  await waitFor(() => {
    const channel = supabase()
      .getChannels()
      .find((known) => known.topic === `realtime:${topic}`)
    expect(channel?.state).toBe('joined')
  })
}

/** Waits until this text is announced to screen readers. */
export const announced = (text: string) =>
  waitFor(() => expect(document.querySelector('[data-announcer]')?.textContent).toBe(text))

/** Waits for a toast of this kind with this title and description. */
export async function toasted(kind: ToastKind, title: string, text = ''): Promise<void> {
  await waitFor(() => {
    const toasts = [...document.querySelectorAll(`[data-kind="${kind}"]`)].map((toast) => toast.textContent)
    expect(toasts).toContain(title + text)
  })
}
