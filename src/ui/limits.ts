import type * as t from 'typebox'

/** The HTML attributes that a schema asks of its control: how long a text may be, from where to where a number goes. */
export function limitsOf(schema: t.TSchema): {
  required?: boolean
  maxLength?: number
  min?: number
  max?: number
} {
  if (schema.type === 'string') return { required: schema.minLength > 0, maxLength: schema.maxLength }
  return schema.type === 'integer' ? { min: schema.minimum, max: schema.maximum } : {}
}

/** The same with the name of the control, and the schema's title as its label. */
export function inputFor(name: string, schema: t.TSchema) {
  return { name, label: schema.title ?? name, ...limitsOf(schema) }
}
