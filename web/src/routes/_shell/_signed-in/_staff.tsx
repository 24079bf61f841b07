import { t } from '@lingui/core/macro'
import { CancelledError, type QueryClient } from '@tanstack/react-query'
import { createFileRoute, Outlet, redirect, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { RoleLocked } from '#features/staff/roles/RoleLocked.tsx'
import { isBehindFactor, NO_ROLE, roleQuery } from '#features/staff/roles/roles.queries.ts'
import { useRole } from '#features/staff/roles/use-role.ts'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { AdminShell } from '../../-admin/AdminShell.tsx'
import { mayOpen } from '../../-admin/entries.ts'

const roleRequest = { href: '/admin-request', replace: true } as const

/** The guard of the administration. People who are not staff are sent to the form for a role request. */
export const Route = createFileRoute('/_shell/_signed-in/_staff')({
  beforeLoad: async ({ context: { queryClient: cache, user } }) => {
    const { permissions, isShut } = await askRole(cache, user.id)
    if (permissions.length === 0 && !isShut) throw redirect(roleRequest)
  },
  component: Staff,
})

/** A role that could not be loaded counts as none. */
async function askRole(cache: QueryClient, userId: string): Promise<typeof NO_ROLE> {
  try {
    return await cache.fetchQuery(roleQuery(userId))
  } catch (problem) {
    // When a person leaves a page, its loads are cancelled, even one that this guard waits for. The role is then loaded
    // again.
    if (problem instanceof CancelledError) return askRole(cache, userId)
    return (isBehindFactor(problem) && cache.getQueryData(roleQuery(userId).queryKey)) || NO_ROLE
  }
}

function Staff() {
  const { id: userId } = useUser()
  const { role, isStaff, isShut, may } = useRole(userId)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!isStaff) void navigate(roleRequest)
  }, [isStaff, navigate])
  if (!isStaff) return null
  if (isShut) return <RoleLocked />
  return (
    <AdminShell userId={userId} role={role} may={may}>
      {mayOpen(may, pathname) ? <Outlet /> : <Refused />}
    </AdminShell>
  )
}

function Refused() {
  return (
    <EmptyState
      order={1}
      title={t`Your role does not include this page`}
      action={<LinkButton to="/admin">{t`Back to the dashboard`}</LinkButton>}
    />
  )
}
