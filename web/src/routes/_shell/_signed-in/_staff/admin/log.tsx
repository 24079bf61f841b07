import { createFileRoute } from '@tanstack/react-router'
import { StaffLog } from '#features/staff-log/StaffLog.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/log')({ component: Log })

/** What staff did, for super-admins. */
function Log() {
  return (
    <>
      <PageTitle title="Staff Log">
        What staff decided. Each line carries a hash of itself and of the one before; the last of each day is
        mailed to you.
      </PageTitle>
      <StaffLog />
    </>
  )
}
