import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSession } from '#lib/session.ts'
import { takeTarget } from './post-login.ts'

/** Once signed in and no longer loading, leaves for the remembered target, exactly once. */
export function useLeaveWhenSignedIn(): void {
  const { status } = useSession()
  const navigate = useNavigate()
  const left = useRef(false)
  useEffect(() => {
    if (status !== 'signed-in' || left.current) return
    left.current = true
    void navigate({ href: takeTarget(), replace: true })
  }, [status, navigate])
}
