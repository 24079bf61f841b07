import { createFileRoute } from '@tanstack/react-router'
import { SetUpSite } from '#features/staff/site-settings/SetUpSite.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/set-up')({ component: SetUpSite })
