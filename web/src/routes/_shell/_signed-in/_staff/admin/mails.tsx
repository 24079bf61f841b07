import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { MailList } from '#features/staff/mails/MailList.tsx'
import { useSendTestMail } from '#features/staff/mails/mails.ts'
import { given } from '#lib/search.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SearchField } from '#ui/SearchField.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/mails')({
  validateSearch: z.object({ q: given(z.string()) }),
  component: Mails,
})

function Mails() {
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const test = useSendTestMail()
  return (
    <>
      <PageTitle
        title={t`Emails`}
        actions={
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {t`Send me a test`}
          </Button>
        }
      />
      <SearchField
        label={t`Search by email address`}
        value={q}
        onSearch={(text) => void navigate({ search: { q: text || undefined }, replace: q !== '' })}
      />
      <MailList search={q} />
    </>
  )
}
