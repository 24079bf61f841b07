import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { roleTexts } from '#features/staff/roles/roles.messages.ts'
import type { RoleDraft } from '#features/staff/roles/roles.mutations.ts'
import { systemRolesQuery } from '#features/staff/roles/roles.queries.ts'
import { SystemRoleDialog } from '#features/staff/roles/SystemRoleDialog.tsx'
import { SystemRoleList } from '#features/staff/roles/SystemRoleList.tsx'
import { useRole } from '#features/staff/roles/use-role.ts'
import { useUser } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/roles')({ component: Roles })

const NEW_ROLE: RoleDraft = { name: '', description: '', permissions: [], builtIn: false }

function Roles() {
  const mayEdit = useRole(useUser().id).may('roles.manage')
  const { data } = useQuery(systemRolesQuery)
  const [draft, setDraft] = useState(NEW_ROLE)
  const [opened, setOpened] = useState(false)
  // The dialog's key, new for each opening: a dialog that is still closing would keep the previous role's input.
  const [openings, setOpenings] = useState(0)
  const open = ({ id, name, description, permissions, builtIn }: RoleDraft) => {
    setDraft({ ...(id && { id }), name, description, permissions, builtIn })
    setOpenings(openings + 1)
    setOpened(true)
  }
  const create = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => open(NEW_ROLE)}>
      {t`New role`}
    </Button>
  )
  return (
    <>
      <PageTitle title={roleTexts.title} actions={mayEdit && data && create}>
        {roleTexts.about}
      </PageTitle>
      <SystemRoleList onEdit={mayEdit ? open : undefined} />
      {data && (
        <SystemRoleDialog
          key={openings}
          opened={opened}
          role={draft}
          permissions={data.permissions}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}
