/** The arithmetic of pull-to-refresh, in px of the content's movement. */
const THRESHOLD = 80
const FARTHEST = 120

export type PullState = 'idle' | 'pulling' | 'ready' | 'refreshing'

/** How far the content has moved when the finger has: half of it, and never past the end. */
export function pulledBy(finger: number): number {
  return Math.min(Math.max(finger / 2, 0), FARTHEST)
}

export function pullState(pulled: number): PullState {
  if (pulled <= 0) return 'idle'
  return pulled >= THRESHOLD ? 'ready' : 'pulling'
}
