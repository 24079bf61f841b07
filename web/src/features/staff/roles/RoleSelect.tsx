import { t } from '@lingui/core/macro'
import { Select } from '@mantine/core'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Role, roleName } from '#domain/roles.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { described } from './roles.messages.ts'
import { useAssignRole } from './roles.mutations.ts'
import { systemRolesQuery } from './roles.queries.ts'

const NONE = 'none'

interface RoleSelectProps {
  person: { id: string; displayName: string; role: Role }
  /** True for the signed-in person's own role. */
  self: boolean
  /** The queries that show the role. */
  stale: QueryKey
}

/** Changes a person's role, after a confirmation, since a change applies immediately. For staff who manage roles. */
export function RoleSelect({ person: { id, displayName: name, role }, self, stale }: RoleSelectProps) {
  const [wanted, setWanted] = useState<Role>()
  const [asking, setAsking] = useState(false)
  const { mutate, isPending, variables } = useAssignRole(stale)
  const shown = isPending ? variables.to : role
  const roles = useQuery(systemRolesQuery).data?.roles ?? []

  const choose = (value: string | null) => {
    const to = value === NONE ? null : value
    if (to === role) return
    setWanted(to)
    setAsking(true)
  }
  const confirm = () => {
    setAsking(false)
    if (wanted !== undefined) mutate({ userId: id, from: role, to: wanted })
  }
  return (
    <>
      <Select
        aria-label={t`Role of ${name}`}
        data={choices(role, roles)}
        value={shown ?? NONE}
        onChange={choose}
        allowDeselect={false}
        // Read-only instead of disabled, since a disabled field could not get the focus back from the dialog.
        readOnly={isPending}
      />
      <ConfirmDialog
        opened={asking}
        title={wanted ? t`Give ${name} the ${wanted} role?` : t`Take the role from ${name}?`}
        confirmLabel={wanted ? t`Give role` : t`Take role away`}
        cancelLabel={t`Cancel`}
        color={wanted ? 'clay' : 'beet'}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        {wanted
          ? described(roles.find((one) => one.name === wanted)?.description ?? '')
          : t`${name} can no longer open the administration.`}{' '}
        {self && t`This is your own account. You stop being a super-admin right away.`}
      </ConfirmDialog>
    </>
  )
}

/** Returns all roles and the person's current one, which is shown even before the roles have loaded. */
function choices(held: Role, defined: readonly { name: string }[]) {
  const names = new Set([...defined.map(({ name }) => name), ...(held ? [held] : [])])
  return [{ value: NONE, label: t`None` }, ...[...names].map((value) => ({ value, label: roleName(value) }))]
}
