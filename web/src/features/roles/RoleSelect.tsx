import { Select } from '@mantine/core'
import { useState } from 'react'
import { BUILT_IN_ROLES, isBuiltIn, type Role } from '#domain/roles.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useAssignRole } from './roles.mutations.ts'

const NONE = 'none'
const LABELS: Record<string, string> = {
  moderator: 'Moderator',
  admin: 'Admin',
  'super-admin': 'Super-admin',
}
const MEANINGS: Record<string, string> = {
  moderator: 'Moderators review shared plans and see who has an account.',
  admin: 'Admins see everybody’s e-mail address and coins, and pay out withdrawals.',
  'super-admin': 'Super-admins do everything, and decide who else is staff.',
}

interface RoleSelectProps {
  person: { id: string; name: string; role: Role }
  /** The person is who changes it. */
  self: boolean
  /** Brings what shows the role up to date. */
  onSettled: () => Promise<unknown>
}

/** Sets somebody's role, asking once more, since it takes effect at once. For super-admins. */
export function RoleSelect({ person: { id, name, role }, self, onSettled }: RoleSelectProps) {
  const [wanted, setWanted] = useState<Role>()
  const [asking, setAsking] = useState(false)
  const { mutate, isPending, variables } = useAssignRole(onSettled)
  const shown = isPending ? variables.to : role

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
        aria-label={`Role of ${name}`}
        data={choices(role)}
        value={shown ?? NONE}
        onChange={choose}
        allowDeselect={false}
        disabled={isPending}
      />
      <ConfirmDialog
        opened={asking}
        title={wanted ? `Give ${name} the ${wanted} role?` : `Take the role from ${name}?`}
        confirmLabel={wanted ? 'Give role' : 'Take role away'}
        cancelLabel="Cancel"
        color={wanted ? 'clay' : 'beet'}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        {wanted ? MEANINGS[wanted] : `${name} can no longer open the administration.`}
        {self && ' This is your own account: you stop being a super-admin at once.'}
      </ConfirmDialog>
    </>
  )
}

/** The roles the database goes by, and the one somebody has if it is another. */
function choices(held: Role) {
  const own = held !== null && !isBuiltIn(held) ? [held] : []
  const roles = [...BUILT_IN_ROLES, ...own].map((value) => ({ value, label: LABELS[value] ?? value }))
  return [{ value: NONE, label: 'None' }, ...roles]
}
