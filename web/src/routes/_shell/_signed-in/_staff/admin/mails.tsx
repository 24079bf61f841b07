import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { FailedMailList } from '#features/staff/mails/FailedMailList.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/mails')({ component: FailedMails })

function FailedMails() {
  return (
    <>
      <PageTitle title={t`Undelivered emails`}>
        {t`We tried each several times and don’t send it again. If many fail, check the mail server.`}
      </PageTitle>
      <FailedMailList />
    </>
  )
}
