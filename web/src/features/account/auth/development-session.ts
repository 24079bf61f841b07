import { t } from '@lingui/core/macro'
import type { Session } from '@supabase/supabase-js'
import { onSession, standIn } from '#lib/session.ts'
import { toastInfo, toastSuccess } from '#ui/toasts.ts'
import { developmentMarker } from './development-marker.ts'

// A simulated sign-in for developers who work on the screens. Imported only if import.meta.env says development or
// preview (`vite build --mode preview`), so production builds do not contain it. The backend still sees a visitor.

const YEAR = 365 * 24 * 3600

const developmentUser: Session['user'] = {
  id: '00000000-0000-4000-8000-000000000001',
  aud: 'authenticated',
  email: 'developer@example.com',
  app_metadata: {},
  user_metadata: { name: t`Development User`, avatar_url: '/avatars/avatar-1.png' },
  created_at: '2026-01-01T00:00:00Z',
}

/**
 * True for this machine and for hosts with the word "preview", such as preview.potluck.example or pr-7-preview.example.
 */
export function isPreviewHost(hostname: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$|(^|[.-])preview[.-]/.test(hostname)
}

/** Signs in as the development user. */
export function startDevelopmentSession(): void {
  developmentMarker.set()
  begin()
  toastSuccess(t`Development Login`, t`You are now signed in with a development account`)
}

/** Resumes the development session of an earlier page load, unless the URL contains the tokens of a real sign-in. */
export function resumeDevelopmentSession({ hash, hostname }: Pick<Location, 'hash' | 'hostname'>): void {
  if (/[#&](access_token|id_token)=/.test(hash)) developmentMarker.clear()
  if (!developmentMarker.isSet() || !isPreviewHost(hostname)) return
  begin()
  toastInfo(t`Development Mode`, t`Using simulated authentication for development purposes.`)
}

function begin(): void {
  const now = Math.floor(Date.now() / 1000)
  standIn({
    access_token: 'development',
    refresh_token: 'development',
    token_type: 'bearer',
    expires_in: YEAR,
    expires_at: now + YEAR,
    user: developmentUser,
  })
  const stop = onSession((event) => {
    if (event !== 'SIGNED_OUT') return
    developmentMarker.clear()
    stop()
  })
}
