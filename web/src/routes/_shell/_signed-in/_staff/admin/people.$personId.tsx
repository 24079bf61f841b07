import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { StaffPersonView } from '../../../../-admin/person/StaffPersonView.tsx'
import { staffPersonQuery } from '../../../../-admin/person/staff-person.query.ts'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/people/$personId')({
  component: StaffPerson,
})

function StaffPerson() {
  const { personId } = Route.useParams()
  const { id: readerId } = useUser()
  return (
    <Loaded
      of={useQuery(staffPersonQuery(personId, readerId))}
      pending={<CardGridSkeleton cards={3} columns={1} />}
      failed={t`This page could not be loaded`}
    >
      {(person) =>
        person ? (
          <StaffPersonView key={personId} person={person} />
        ) : (
          <EmptyState
            order={1}
            title={t`No one here`}
            action={<LinkButton to="/admin/users">{t`User Management`}</LinkButton>}
          />
        )
      }
    </Loaded>
  )
}
