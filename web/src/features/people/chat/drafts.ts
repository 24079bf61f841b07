import { useSyncExternalStore } from 'react'

// Unsent texts by writer and conversation, kept while the page is open, so that closing a chat does not lose them.
const drafts = new Map<string, string>()
const watchers = new Set<() => void>()

/** A person's unsent text, and its setter. */
export function useDraft(userId: string, conversationId: string): [string, (draft: string) => void] {
  const key = keyOf(userId, conversationId)
  return [
    useSyncExternalStore(
      watch,
      () => drafts.get(key) ?? '',
      () => '',
    ),
    (draft) => put(key, draft),
  ]
}

/** Returns an unsent text to the input, before any text typed since. */
export function giveBack(userId: string, conversationId: string, text: string): void {
  const key = keyOf(userId, conversationId)
  const typed = drafts.get(key)
  put(key, typed ? `${text}\n${typed}` : text)
}

function put(key: string, draft: string): void {
  if (draft === '') drafts.delete(key)
  else drafts.set(key, draft)
  for (const tell of watchers) tell()
}

function watch(tell: () => void): () => void {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

const keyOf = (userId: string, conversationId: string) => `${userId} ${conversationId}`
