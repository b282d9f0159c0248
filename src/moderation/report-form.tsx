import type { FormEvent } from 'react'
import { EmailField } from '#src/ui/account-fields'
import { Button } from '#src/ui/button'
import type { FormError } from '#src/ui/field-problem'
import { FormFields } from '#src/ui/form-fields'
import { Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'
import { reasonCharactersMax, reportTypes, reportTypeWords } from './rules'

export type ReportFormProps = {
  itemId: string
  isMember: boolean
  /** The input of a refused form, and the reason for the refusal. */
  given?: { flagType?: string; flagReason?: string; email?: string }
  problem?: FormError | null
  isBusy?: boolean
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
}

const choices = [
  { value: '', label: 'Please choose' },
  ...reportTypes.map((value) => ({ value, label: reportTypeWords[value].name })),
]

export const reportWords =
  'Thank you for looking out. A person reads every report, and no maker learns who sent it.'

/** Form that reports an item; the page and the dialog share it. */
export function ReportForm({ itemId, isMember, given = {}, problem, isBusy, onSubmit }: ReportFormProps) {
  return (
    <form className="stack" action={urls.report(itemId)} method="post" onSubmit={onSubmit}>
      <FormFields problem={problem}>
        <Select
          label="What is it about?"
          name="flagType"
          choices={choices}
          defaultValue={given.flagType ?? ''}
          required
        />
        <TextArea
          label="In your own words"
          name="flagReason"
          look="short"
          hint="As much or as little as you like: where it is, what to look at."
          maxLength={reasonCharactersMax}
          defaultValue={given.flagReason}
        />
        {isMember ? (
          <p className="hint">We will write to you when it is decided.</p>
        ) : (
          <EmailField
            label="Email, if you like"
            defaultValue={given.email}
            hint="Only to tell you what was decided."
          />
        )}
      </FormFields>
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {isBusy ? 'Sending...' : 'Send report'}
      </Button>
    </form>
  )
}
